// Putting the server into a host's configuration: shown first, written whole or not at all, with the old file kept.
import { accessSync, constants, existsSync, lstatSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, isAbsolute, join, relative, resolve } from "node:path";
import process from "node:process";
import { fail, FailureError } from "../../core/contract/index.ts";
import type { HostConfigured, HostRequest, HostRow } from "../../core/contract/setup/index.ts";
import { systemCode } from "../../platform/system/index.ts";
import { writeUnder } from "../../platform/paths/index.ts";
import { backupOf, replaceFile, type Environment } from "../../platform/config/index.ts";
import { locateRepository } from "../../platform/git/index.ts";
import { previewHost } from "./preview.ts";
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

/** By its name where that is found, else by where it lies. */
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

/** Its owner took the right to write away: that is a wish, also where we could replace the file. */
const isProtected = (file: string) =>
  ((lstatSync(file, { throwIfNoEntry: false })?.mode ?? 0o200) & 0o200) === 0;

/** The file as it is named; of a user's own file the place a link of theirs leads to. */
function target(host: Host, request: HostRequest, places: HostFolders): string {
  const named = host.file(request.scope, places);
  const file = exists(named) ? named : (host.also?.(request.scope, places).find(exists) ?? named);
  return request.scope === "user" && existsSync(file) ? realpathSync(file) : file;
}

/** The file where the old one is kept, or null when there was none. */
function write(file: string, text: string, request: HostRequest, root: string): string | null {
  if (request.scope === "user") return replaceFile(file, text);
  // A repository could put a link where its configuration should be: nothing is followed there.
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
  const places: HostFolders = {
    home: environment.home,
    repo: root,
    platform: process.platform,
    variables: environment.variables,
  };
  const file = target(host, request, places);
  const launch = launchOf(environment);
  const link = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (link)
    fail("permission_denied", `${file} is a link that is not followed.`, {
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

/** Where each host's configuration lies and whether we are in it; one that cannot be read says so. */
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
