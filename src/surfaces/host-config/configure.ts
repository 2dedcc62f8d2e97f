// Puts the server into the configuration of a host: a preview first, then one atomic write with a backup of the old file.
import { accessSync, constants, existsSync, lstatSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, isAbsolute, join, relative, resolve } from "node:path";
import process from "node:process";
import { fail, FailureError } from "../../core/contract/index.ts";
import type { HostConfigured, HostRequest, HostRow } from "../../core/contract/setup/index.ts";
import { systemCode } from "../../platform/system/index.ts";
import { writeUnder } from "../../platform/paths/index.ts";
import { backupOf, replaceFile, type Environment } from "../../platform/config/index.ts";
import { locateRepository } from "../../platform/git/index.ts";
import { hosts, type Host, type HostFolders, type Launch } from "./table.ts";

function onPath(name: string, path: string | undefined): boolean {
  return (path ?? "").split(delimiter).some((folder) => {
    if (!isAbsolute(folder)) return false;
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch (error) {
      if (systemCode(error) === undefined) throw error;
      return false;
    }
  });
}

/** Starts us by name if the search path finds us, else by path. */
function launchOf({ variables }: Environment): Launch {
  if (onPath("thehood", variables["PATH"])) return { command: "thehood", args: ["mcp"] };
  return { command: process.execPath, args: [resolve(process.argv[1] ?? "thehood"), "mcp"] };
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return "";
    return fail("invalid_config", `Cannot read ${file} (${code ?? "unreadable"}).`, {
      remedy: "Make the file readable, or remove it.",
    });
  }
}

const exists = (file: string) => lstatSync(file, { throwIfNoEntry: false }) !== undefined;

/** A write-protected file is not changed, even if it could be replaced. */
const isProtected = (file: string) => ((lstatSync(file, { throwIfNoEntry: false })?.mode ?? 0o200) & 0o200) === 0;

/** The configuration file; a link in the user's own folders is followed. */
function target(host: Host, request: HostRequest, folders: HostFolders): string {
  const named = host.file(request.scope, folders);
  const file = exists(named) ? named : (host.also?.(request.scope, folders).find(exists) ?? named);
  return request.scope === "user" && existsSync(file) ? realpathSync(file) : file;
}

/** Writes the file; returns the backup of the old one, or null if there was none. */
function write(file: string, text: string, request: HostRequest, root: string): string | null {
  if (request.scope === "user") return replaceFile(file, text);
  // A repository may contain a link instead of its configuration: links are not followed there.
  const backup = exists(file) ? backupOf(file) : null;
  if (backup !== null) writeUnder(root, relative(root, backup), readFileSync(file), { trusted: true });
  writeUnder(root, relative(root, file), Buffer.from(text), { parents: true, trusted: true });
  return backup;
}

export function configureHost(request: HostRequest, environment: Environment): HostConfigured {
  const host =
    hosts.find(({ name }) => name === request.host) ??
    fail("invalid_input", `There is no host "${request.host}".`, {
      remedy: `Hosts: ${hosts.map(({ name }) => name).join(", ")}`,
    });
  const { root } = locateRepository(request.repo);
  const folders: HostFolders = {
    home: environment.home,
    repo: root,
    platform: process.platform,
    variables: environment.variables,
  };
  const file = target(host, request, folders);
  const launch = launchOf(environment);
  const link = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (link)
    fail("permission_denied", `${file} is a link, which is not followed.`, {
      remedy: "Use --scope user, or replace the link by a file.",
    });
  if (request.install && isProtected(file))
    fail("permission_denied", `${file} is write-protected; nothing was changed.`, {
      remedy: `Allow it first: chmod u+w '${file}'`,
    });
  const before = readText(file);
  const after = host.set(before, file, launch);
  const state = before === after ? "current" : before === "" ? "absent" : "different";
  const written = request.install && state !== "current";
  return {
    host: host.name,
    title: host.title,
    scope: request.scope,
    file,
    state,
    snippet: host.set("", file, launch),
    diff: previewHost(before, after, file),
    written,
    backup: written ? write(file, after, request, root) : null,
    next: host.afterwards,
  };
}

/** The configuration file of each host and whether we are in it; a file that cannot be read has a problem. */
export const listHosts = (repo: string, environment: Environment): readonly HostRow[] =>
  hosts.flatMap(({ name, title }) =>
    (["project", "user"] as const).map((scope) => {
      try {
        const { file, state } = configureHost({ host: name, scope, install: false, repo }, environment);
        return { host: name, title, scope, file, state, problem: null };
      } catch (error) {
        if (!(error instanceof FailureError)) throw error;
        return {
          host: name,
          title,
          scope,
          file: null,
          state: "unusable" as const,
          problem: error.failure.message,
        };
      }
    }),
  );

const around = 2;

/** The change as a diff; empty if nothing changes. One hunk is enough: our edits are adjacent or at the end of the file. */
export function previewHost(before: string, after: string, file: string): string {
  if (before === after) return "";
  const old = before === "" ? [] : before.replace(/\n$/, "").split("\n");
  const now = after.replace(/\n$/, "").split("\n");
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const from = Math.max(0, head - around);
  const shownTail = Math.min(tail, around);
  const lines = [
    ...old.slice(from, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+${line}`),
    ...now.slice(now.length - tail, now.length - tail + shownTail).map((line) => ` ${line}`),
  ];
  const oldCount = head - from + (old.length - tail - head) + shownTail;
  const newCount = head - from + (now.length - tail - head) + shownTail;
  const at = (count: number) => (count === 0 ? "0,0" : `${from + 1},${count}`);
  return [
    `--- ${before === "" ? "/dev/null" : file}`,
    `+++ ${file}`,
    `@@ -${at(oldCount)} +${at(newCount)} @@`,
    ...lines,
    "",
  ].join("\n");
}
