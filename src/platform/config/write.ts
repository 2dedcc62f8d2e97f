// Changes values of a configuration file, keeping the user's comments, and never leaves half a file.
import { chmodSync, lstatSync, mkdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { applyEdits, findNodeAtLocation, modify, parseTree, type JSONPath } from "jsonc-parser";
import type { z } from "zod";
import { configKeys, fail, FailureError } from "../../core/contract/index.ts";
import { systemCode, writeDurably } from "../system/index.ts";
import { parseJsonc, configText } from "./read-jsonc.ts";

/** A value at its path; `undefined` takes it out. */
export type ConfigEntry = readonly [path: readonly string[], value: unknown];

/** Editors complete and check a file by the schema that it names. */
const schemaPlace = "https://raw.githubusercontent.com/thehood/thehood/main/docs/schemas/";

function isSet(text: string, key: JSONPath): boolean {
  const root = parseTree(text);
  return root !== undefined && findNodeAtLocation(root, key) !== undefined;
}

function readText(path: string): string {
  try {
    return configText(path);
  } catch (error) {
    if (error instanceof FailureError) throw error;
    const code = systemCode(error);
    if (code === "ENOTDIR" || code === "EISDIR")
      fail("invalid_config", `${path} cannot be a file: something else is in its place.`, {
        remedy: "Look at THEHOOD_HOME and at what is there; nothing was changed.",
      });
    if (code !== "ENOENT") throw error;
    return emptyText(path);
  }
}

function emptyText(path: string): string {
  const name = path.endsWith("/thehood.json") ? "thehood" : "config";
  return `{\n  "$schema": "${schemaPlace}${name}.schema.json",\n  "version": 1\n}\n`;
}

function edited(before: string, path: string, schema: z.ZodType, [key, value]: ConfigEntry): string {
  const spelled = key.join(".");
  const at = [...key];
  if (value === undefined && !isSet(before, at))
    fail("not_found", `Nothing is set at ${spelled}.`, { remedy: "See what is set: thehood config" });
  const options = { formattingOptions: { insertSpaces: true, tabSize: 2 } };
  const after = applyEdits(before, modify(before, at, value, options));
  try {
    parseJsonc(after, path, schema);
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    // The file is unchanged: the mistake is in the new value and has no line in the file.
    const why = error.failure.message.replace(/^.*?:\d+:\d+: /s, "");
    const meant = configKeys.find((one) => one.endsWith(`.${spelled}`));
    fail(
      "invalid_config",
      `${spelled} cannot be set like this: ${why.replace(/[?.]$/, "")}${why.endsWith("?") ? "?" : "."}`,
      {
        remedy: `${meant === undefined ? "" : `Did you mean ${meant}? `}Nothing was changed. See what is set: thehood config`,
      },
    );
  }
  return after;
}

/** All entries in one write. The result is checked by the schema first: a change that would break the file changes nothing. */
export function setConfigValues(path: string, schema: z.ZodType, entries: readonly ConfigEntry[]): void {
  const before = readText(path);
  parseJsonc(before, path, schema);
  writeEntries(path, schema, entries, before);
}

/** The same into an empty file, in place of the one that is there; that is kept as a backup. */
export const replaceConfig = (path: string, schema: z.ZodType, entries: readonly ConfigEntry[]): void =>
  writeEntries(path, schema, entries, emptyText(path));

function writeEntries(path: string, schema: z.ZodType, entries: readonly ConfigEntry[], before: string): void {
  const after = entries.reduce((text, entry) => edited(text, path, schema, entry), before);
  const shared = path.endsWith("/thehood.json");
  const whole = after.endsWith("\n") ? after : `${after}\n`;
  replaceFile(path, whole, { keep: !shared, through: !shared });
}

/** The first backup is never overwritten; later states share a second backup file. */
export function backupOf(path: string): string {
  const first = `${path}.before-thehood`;
  return lstatSync(first, { throwIfNoEntry: false }) === undefined ? first : `${first}-last`;
}

const write = (path: string, bytes: Uint8Array): void => writeDurably(path, `${path}.${process.pid}.new`, bytes);

/**
 * Returns the path of the backup, or null without an old file. A new file is readable by its owner alone. A file that
 * git tracks needs no backup. With `through` the target of a link is written: only for the user's own files, because a
 * link in a repository may lead anywhere.
 */
export function replaceFile(path: string, text: string, { keep = true, through = false } = {}): string | null {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  const backup = mode === undefined || !keep ? null : backupOf(path);
  if (backup !== null) write(backup, readFileSync(path));
  const target = through && mode !== undefined ? realpathSync(path) : path;
  write(target, Buffer.from(text));
  if (mode !== undefined) chmodSync(target, mode & 0o777);
  return backup;
}
