// The paths that the user named for results: checked before anything is sent, and cleared of results of an earlier run.
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { FailureError, fail } from "../../core/contract/index.ts";
import type { RunRequest } from "../../core/contract/transport/index.ts";
import { entryAt, systemCode } from "../../platform/system/index.ts";

type Kind = "diff" | "json" | "metrics" | "answer";

const flags: Readonly<Record<Kind, string>> = {
  diff: "--diff-output",
  json: "--json-output",
  metrics: "--metrics-output",
  answer: "--write-output",
};

/** Marks a refusal of a named path: then nothing is written there, not even the result. */
export const refusedOutput = { output: "refused" } as const;

export const isOutputRefusal = (error: unknown) =>
  error instanceof FailureError && error.failure.details?.["output"] === refusedOutput.output;

function jsonWith(path: string, key: string): boolean {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return typeof value === "object" && value !== null && key in value;
  } catch {
    // Not JSON, so `oracle` did not write it.
    return false;
  }
}

/** Files that an earlier run may have written. Any other file belongs to the user and is not overwritten. */
const ours: Readonly<Record<Kind, (path: string) => boolean>> = {
  diff: (path) => /^(diff --git |$)/.test(readFileSync(path, "utf8").slice(0, 11)),
  json: (path) => jsonWith(path, "secretScan"),
  metrics: (path) => jsonWith(path, "stages"),
  answer: () => true,
};

/** True when nothing exists at the path, or a file of an earlier run. */
export function mayReplace(kind: Kind, path: string): boolean {
  const there = entryAt(path);
  return there === undefined || (there.isFile() && ours[kind](path));
}

/** Fails where no file can be written at the path. */
export function probe(path: string, flag: string): void {
  const file = join(dirname(path), `.${basename(path)}.${process.pid}.probe`);
  let fd: number | undefined;
  try {
    // The folder that the user named for a result is made.
    mkdirSync(dirname(path), { recursive: true });
    fd = openSync(file, "wx", 0o600);
    writeSync(fd, "oracle");
  } catch (error) {
    fail("invalid_input", `${flag} ${path} cannot be written (${systemCode(error) ?? String(error)}).`, {
      remedy: "Name a file in a folder that you may write to.",
      details: refusedOutput,
    });
  } finally {
    if (fd !== undefined) {
      closeSync(fd);
      rmSync(file, { force: true });
    }
  }
}

/** Removes results of an earlier run, so that they are not taken for this run's. */
export function prepareOutputs(outputs: RunRequest["outputs"]): void {
  const named = Object.entries(outputs).filter((entry): entry is [Kind, string] => entry[1] !== null);
  const paths = named.map(([, path]) => path);
  if (new Set(paths).size !== paths.length)
    fail("invalid_input", "Two results would be written to one file.", {
      remedy: "Give each a path of its own.",
    });
  for (const [kind, path] of named) {
    const there = entryAt(path);
    if (there && !there.isFile())
      fail("invalid_input", `${flags[kind]} ${path} is not a regular file.`, {
        remedy: "Name another path.",
      });
    if (there && !ours[kind](path))
      fail("invalid_input", `${flags[kind]} ${path} exists and was not written by oracle.`, {
        remedy: "Name another path, or remove the file first.",
        details: refusedOutput,
      });
    probe(path, flags[kind]);
  }
  for (const [kind, path] of named) if (kind !== "answer") rmSync(path, { force: true });
}
