// Finds an agent program on this machine, and its version, without starting a model.
import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, sep } from "node:path";
import { type CommandRunner, type ProviderHealth, FailureError, plainLine } from "../../core/contract/index.ts";
import { targetAt } from "../../platform/system/index.ts";
import { findProgram, hiddenFrom } from "../../platform/sandbox/index.ts";
import type { AgentEnvironment, AgentProgram } from "./program.ts";

export interface FoundProgram {
  readonly path: string;
  /** null when the program would not say. */
  readonly version: string | null;
  /** Folders it needs to read, wherever they lie. */
  readonly folders: readonly string[];
}

export function unavailable(message: string, remedy: string): FailureError {
  return new FailureError({ code: "provider_unavailable", message, remedy });
}

/** Its path, or why it cannot be used. */
export function locateProgram(program: AgentProgram, place: AgentEnvironment): string | FailureError {
  const wanted = place.settings.program ?? program.program;
  const found = isAbsolute(wanted)
    ? statSync(wanted, { throwIfNoEntry: false })?.isFile() && wanted
    : findProgram(wanted, place.variables["PATH"] ?? "");
  if (found) return found;
  return place.settings.program === undefined
    ? unavailable(
        `${program.id}: the program ${wanted} was not found on PATH.`,
        `Install ${program.id}: ${program.install}; or, if it is installed, tell where it is: thehood config set providers.${program.id}.program /path/to/${program.program}`,
      )
    : unavailable(
        `${program.id}: ${wanted}, named by providers.${program.id}.program, does not exist.`,
        `Correct it in your own configuration, or take it out to search PATH for ${program.program}.`,
      );
}

/**
 * A program's real folder, or all packages around it: npm programs start others beside them. A folder that holds the
 * user's home is too much to show; then the file alone has to do.
 */
function foldersOf(path: string, home: string): string[] {
  const real = realpathSync(path);
  const mark = `${sep}node_modules${sep}`;
  const cut = real.indexOf(mark);
  const around = cut === -1 ? dirname(real) : real.slice(0, cut + mark.length - 1);
  const holdsHome = (folder: string) => `${home}${sep}`.startsWith(folder === sep ? sep : `${folder}${sep}`);
  return [...new Set([holdsHome(dirname(path)) ? path : dirname(path), holdsHome(around) ? real : around])];
}

/** The files that the user's own configuration starts: the program, and files among its arguments, as in `node agent.js`. */
export function neededFolders(path: string, { home, settings }: AgentEnvironment): string[] {
  const files = (settings.args ?? []).filter((word) => isAbsolute(word) && targetAt(word)?.isFile() === true);
  return [...new Set([path, ...files].flatMap((file) => foldersOf(file, home)))];
}

const numbers = (version: string): number[] => version.split(/[.-]/).slice(0, 3).map(Number);

function isOlder(version: string, oldest: string): boolean {
  const [have, want] = [numbers(version), numbers(oldest)];
  const at = want.findIndex((part, index) => part !== have[index]);
  return at !== -1 && (have[at] ?? 0) < (want[at] ?? 0);
}

/** The version is in a file of the package; asking the program costs a start. */
function packagedVersion(path: string): string | undefined {
  const real = realpathSync(path);
  if (!real.includes(`${sep}node_modules${sep}`)) return undefined;
  for (let at = dirname(real); !at.endsWith(`${sep}node_modules`) && at !== dirname(at); at = dirname(at)) {
    try {
      const { version } = JSON.parse(readFileSync(join(at, "package.json"), "utf8")) as { version?: unknown };
      if (typeof version === "string") return version.match(/^\d+\.\d+\.\d+/)?.[0];
    } catch (error) {
      if (!(error instanceof SyntaxError) && !(error instanceof Error && "code" in error)) throw error;
    }
  }
  return undefined;
}

const probeMs = 10_000;

/** null when it would not say in time; a failure when it cannot even be started. */
export async function findVersion(
  program: AgentProgram,
  path: string,
  folders: readonly string[],
  runner: CommandRunner,
  signal?: AbortSignal,
): Promise<string | null | FailureError> {
  const packaged = packagedVersion(path);
  if (packaged !== undefined) return packaged;
  if (!program.version) return null;
  const place = { cwd: "/", writable: [], readable: folders };
  const { stdout, stderr, ended, exitCode } = await runner.run({
    ...place,
    argv: [path, ...program.version.args],
    network: false,
    timeoutMs: probeMs,
    maxOutputBytes: 10_000,
    ...(signal ? { signal } : {}),
  });
  const said = `${Buffer.from(stdout)}\n${Buffer.from(stderr)}`;
  const version = said.match(/\d+\.\d+\.\d+/)?.[0];
  if (version !== undefined) return version;
  if (ended === "not_started" || (ended === "exited" && exitCode !== 0)) {
    const hidden = await hiddenFrom(runner, place, said);
    if (hidden !== undefined)
      return unavailable(
        `${program.id}: ${path} starts ${hidden}, which the sandbox hides.`,
        `Name the program that it starts in the end: thehood config set providers.${program.id}.program ${hidden}`,
      );
    return unavailable(
      `${program.id}: ${path} does not work: ${plainLine(said, 200) || `it ended with ${exitCode ?? ended}`}.`,
      `Install it again: ${program.install}`,
    );
  }
  return null;
}

export function refuseOld(program: AgentProgram, version: string | null): FailureError | undefined {
  const oldest = program.version?.oldest;
  if (oldest === undefined || version === null || !isOlder(version, oldest)) return undefined;
  return unavailable(
    `${program.id}: version ${version} is older than ${oldest}, the oldest that is known to work.`,
    `Update it: ${program.install}`,
  );
}

export async function examineProgram(
  program: AgentProgram,
  place: AgentEnvironment,
  runner: CommandRunner,
  find: () => Promise<FoundProgram | FailureError>,
  models: readonly string[],
): Promise<ProviderHealth> {
  const found = await find();
  const where = locateProgram(program, place);
  const login = program.login?.(place) ?? { state: "unknown" as const, remedy: "" };
  const base = { login: login.state, models: ["default", ...models] };
  const failed = ({ failure }: FailureError) => ({
    version: null,
    problem: failure.message,
    remedy: failure.remedy ?? null,
  });
  // A program that is not here is known at once: asking the sandbox about it starts processes, which a busy machine delays.
  if (where instanceof FailureError) return { ...base, ...failed(where), sandbox: null, installed: false, where: null };
  const sandbox = await confinementOf(program, runner);
  // Whether a program is logged in means nothing where it does not even start.
  if (found instanceof FailureError)
    return { ...base, ...failed(found), sandbox, login: "unknown", installed: true, where };
  const missing = login.state === "missing";
  return {
    ...base,
    sandbox,
    installed: true,
    version: found.version,
    where: found.path,
    problem: missing ? `${program.id}: not logged in.` : null,
    remedy: missing ? login.remedy : null,
  };
}

async function confinementOf(program: AgentProgram, runner: CommandRunner): Promise<string> {
  if ((await runner.confinement()) === "none") return "only its own permission mode";
  return program.nested && !(await runner.nests())
    ? "bubblewrap; inside it this system allows no second sandbox for its commands"
    : "bubblewrap, and its own permission mode";
}
