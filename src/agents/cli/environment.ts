// The surroundings of an agent program: its variables, its login, its private folder, folders that must not configure it,
// and a shell without network.
import { lstatSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import process from "node:process";
import type { AgentEnvironment, AgentProgram } from "./program.ts";
import { temporaryRoot } from "../../platform/system/index.ts";

const ours = /^(THEHOOD|ORACLE)_/;

/** Without these no program reaches anything behind a company's proxy. */
const network = [
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "ALL_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "all_proxy",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
];

const matches = (pattern: string, name: string): boolean =>
  pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

export function agentVariables(program: AgentProgram, place: AgentEnvironment): Record<string, string> {
  const patterns = [
    ...program.variables,
    ...(program.boundary === "external" ? network : []),
    ...(place.settings.passEnv ?? []),
  ];
  return Object.fromEntries(
    Object.entries(place.variables).flatMap(([name, value]) =>
      value !== undefined && !ours.test(name) && patterns.some((pattern) => matches(pattern, name))
        ? [[name, value]]
        : [],
    ),
  );
}

export const hasVariable = ({ variables }: AgentEnvironment, names: readonly string[]): boolean =>
  names.some((name) => Boolean(variables[name]));

export const hasLoginFile = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 2;

/** A small configuration file, or nothing. */
export function fileText(path: string): string {
  try {
    const { size } = statSync(path);
    return size > 1_000_000 ? "" : readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error) return "";
    throw error;
  }
}

/** Folders of these names at and above `dir`, but for those in the user's own home. */
export function foreignFolders(dir: string, names: readonly string[], home: string): string[] {
  const found: string[] = [];
  for (let at = dir; at !== dirname(at); at = dirname(at))
    if (at !== home) found.push(...names.map((name) => join(at, name)));
  return found;
}

interface OfflineShell {
  /** Variables to be taken away. */
  readonly variables: readonly string[];
  /** Files not to be read. */
  readonly files: readonly string[];
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** Takes the arguments of bash. */
export function offlineShell({ variables, files }: OfflineShell): string {
  return [
    "#!/bin/sh",
    `unset ${variables.join(" ")}`,
    'set -- -- /bin/bash "$@"',
    ...files.map((file) => `[ -e ${quoted(file)} ] && set -- --ro-bind /dev/null ${quoted(file)} "$@"`),
    'set -- --unshare-user --unshare-net --die-with-parent --dev-bind / / "$@"',
    'exec bwrap "$@"',
    "",
  ].join("\n");
}

const dayMs = 24 * 60 * 60_000;
const name = /^thehood-agent-(\d+)-/;
let swept: Promise<void> | undefined;

export async function makeCallFolder(): Promise<string> {
  await (swept ??= sweep());
  return mkdtemp(join(temporaryRoot(), `thehood-agent-${process.pid}-`));
}

export const dropFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true }).catch(leave);

async function sweep(): Promise<void> {
  for (const entry of await readdir(temporaryRoot())) {
    const pid = Number(name.exec(entry)?.[1]);
    const folder = join(temporaryRoot(), entry);
    if (pid > 0 && isGone(pid) && isOld(folder)) await dropFolder(folder);
  }
}

/** A process of another container that shares this folder looks gone from here; after a day it is. */
const isOld = (folder: string): boolean =>
  Date.now() - (lstatSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > dayMs;

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** Another user's, or on a disk that fails just now: it holds nothing but forms, and waits for the next time. */
function leave(error: unknown): void {
  if (!(error instanceof Error && "code" in error)) throw error;
}
