// A provider that is an agent program on this machine: found, checked, confined, fed with the directive and read.
import { existsSync, statSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
  type CommandRequest,
  type CommandRunner,
  type ProviderAnswer,
  type ProviderCall,
  type ProviderPort,
  type ProviderSettings,
  FailureError,
} from "../../core/contract/index.ts";
import { type KnownModels, resolveModel, slugOf } from "../registry/registry.ts";
import { answerOf } from "./answer.ts";
import { runTalking } from "./converse.ts";
import { agentVariables, dropFolder, makeCallFolder } from "./environment.ts";
import {
  type FoundProgram,
  examineProgram,
  findVersion,
  locateProgram,
  neededFolders,
  refuseOld,
  unavailable,
} from "./find.ts";
import { createMeter, createProgressReader } from "./meter.ts";
import type { AgentEnvironment, AgentProgram } from "./program.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";

export interface AgentDeps {
  readonly runner: CommandRunner;
  readonly home: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The settings of this provider in the user's own configuration. */
  readonly settings?: ProviderSettings | undefined;
}

/** An event stream repeats what tools read and wrote; the answer in it has its own limit. */
const streamBytes = 32 * 1024 ** 2;

export function createAgentProgram(program: AgentProgram, host: AgentDeps): ProviderPort {
  const settings = host.settings ?? {};
  const place: AgentEnvironment = { home: host.home, variables: host.variables, settings };
  const known = remembered(() => (typeof program.models === "function" ? program.models(place) : program.models));
  const models: KnownModels = {
    provider: program.id,
    get known() {
      return known();
    },
    aliases: settings.models ?? {},
  };
  const find = finder(program, place, host.runner);
  return {
    id: program.id,
    traits: { boundary: program.boundary, modelBacked: true, edits: "worktree", about: program.about },
    resolve(model) {
      const known = model === "default" ? program.defaultModel?.(place) : undefined;
      return known ? { ok: true, identity: `${program.id}:${known}` } : resolveModel(models, model);
    },
    async send(call, signal) {
      const slug = slugOf(models, call.model);
      if (slug === undefined) throw unknownModel(models, call.model);
      const found = await find();
      if (found instanceof FailureError) throw found;
      const login = program.login?.(place);
      if (login?.state === "missing") throw unavailable(`${program.id}: not logged in.`, login.remedy);
      const folder = await makeCallFolder().catch((error: unknown) => {
        throw unavailable(`${program.id}: ${systemMessage(error)}`, "Make room in the temporary folder.");
      });
      const running = { program, place, runner: host.runner, found, call, slug, signal };
      const answer = runIn(folder, running).catch((error: unknown) => failedAnswer(program, error));
      // oxlint-disable-next-line typescript/no-misused-promises -- finally waits for the promise that it is given
      return { answer: answer.finally(() => dropFolder(folder)) };
    },
    examine: (signal) =>
      examineProgram(program, place, host.runner, () => find(signal), [
        ...Object.keys(models.aliases),
        ...models.known,
      ]),
  };
}

const believedMs = 1_000;

/** A list that is read from files is believed for a moment: one question asks for it many times. */
function remembered<T>(look: () => T): () => T {
  let last: { readonly value: T; readonly at: number } | undefined;
  return () => {
    const now = performance.now();
    if (!last || now - last.at > believedMs) last = { value: look(), at: now };
    return last.value;
  };
}

/** The message of a failing disk; any other error is our fault. */
function systemMessage(error: unknown): string {
  if (error instanceof Error && "code" in error) return error.message;
  throw error;
}

const failedAnswer = ({ id }: AgentProgram, error: unknown): ProviderAnswer => ({
  outcome: "failed",
  text: "",
  error: `${id} could not be started: ${systemMessage(error)}`,
  durationMs: 0,
});

function unknownModel(models: KnownModels, model: string): FailureError {
  const resolved = resolveModel(models, model);
  return resolved.ok
    ? unavailable(`${models.provider}:${model} is no longer known.`, "Assign another model.")
    : unavailable(resolved.problem, resolved.remedy);
}

/** Looks each time, since a program can come, go or be updated; asks for the version once for each file. */
function finder(program: AgentProgram, place: AgentEnvironment, runner: CommandRunner) {
  let known: { readonly key: string; readonly version: string | null } | undefined;
  return async (signal?: AbortSignal): Promise<FoundProgram | FailureError> => {
    const path = locateProgram(program, place);
    if (path instanceof FailureError) return path;
    const { mtimeMs, size, ino } = statSync(path);
    const key = `${path}\0${mtimeMs}\0${size}\0${ino}`;
    const folders = neededFolders(path, place);
    if (known?.key !== key) {
      const version = await findVersion(program, path, folders, runner, signal);
      if (version instanceof FailureError) return version;
      // The output of a program that was stopped is dropped.
      if (signal?.aborted) return { path, version, folders };
      known = { key, version };
    }
    return refuseOld(program, known.version) ?? { path, version: known.version, folders };
  };
}

interface Running {
  readonly program: AgentProgram;
  readonly place: AgentEnvironment;
  readonly runner: CommandRunner;
  readonly found: FoundProgram;
  readonly call: ProviderCall;
  readonly slug: string | null;
  readonly signal: AbortSignal;
}

async function runIn(folder: string, running: Running): Promise<ProviderAnswer> {
  const { program, place, runner, found, call, slug } = running;
  const budget = new AbortController();
  const stop = () => budget.abort();
  if (running.signal.aborted) stop();
  running.signal.addEventListener("abort", stop, { once: true });
  const { signal } = budget;
  const meter = createMeter(call, program.spends?.bind(program), stop);
  const mayEdit = call.workspace.mode === "worktree" || call.workspace.mode === "direct";
  const confined = (await runner.confinement()) === "bubblewrap";
  const nests = confined && program.nested === true && (await runner.nests());
  const command = program.command({ call, slug, place, folder, mayEdit, confined, nests });
  await lay(folder, command.files ?? {});
  const dir = call.workspace.dir ?? folder;
  const verb = program.verb === undefined ? [] : [program.verb];
  const argv = [found.path, ...verb, ...(place.settings.args ?? []), ...command.args] as const;
  let refused: string | undefined;
  const readProgress = createProgressReader(
    program,
    { ...call, workspace: { ...call.workspace, dir } },
    meter,
    (why) => {
      refused ??= why;
      stop();
    },
  );
  const request: CommandRequest = {
    argv,
    cwd: dir,
    writable: mayEdit ? [dir] : [],
    readable: [folder, ...found.folders],
    own: [...(program.own?.(place, nests) ?? []), ...(command.own ?? [])],
    nested: nests,
    hidden: [...stateFolders(dir), ...(command.hidden ?? []), ...(call.workspace.hides ?? [])],
    secrets: { allowed: place.settings.mayRead ?? [], copies: join(folder, "instead") },
    network: program.boundary === "external",
    env: {
      ...agentVariables(program, place),
      ...command.env,
      HOME: place.home,
      THEHOOD_RUN_ID: call.runId,
      THEHOOD_ROLE: call.role,
      THEHOOD_PROVIDER: program.id,
    },
    timeoutMs: call.timeoutMs,
    maxOutputBytes: Math.max(streamBytes, call.maxAnswerBytes),
    onOutput(stream, chunk) {
      meter.read(stream, chunk);
      readProgress(stream, chunk);
    },
  };
  const outcome = command.conversation
    ? await runTalking(runner, request, command.conversation, signal)
    : await runner.run({
        ...request,
        stdin: command.stdin ?? call.prompt,
        signal,
      });
  running.signal.removeEventListener("abort", stop);
  return answerOf({ program, call, command, argv, outcome, meter, refused, login: program.login?.(place).remedy });
}

async function lay(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, content, { mode: 0o700 });
  }
}

/** Our own records of this and other runs are hidden from the agent. */
function stateFolders(dir: string): string[] {
  const names = [".thehood", ".thehood-work"];
  const found = names.map((name) => join(dir, name));
  for (let at = dir; at !== dirname(at); at = dirname(at))
    if (names.includes(basename(at))) found.push(...names.map((name) => join(dirname(at), name)));
  return found.filter((path) => existsSync(path));
}

export const agentPrograms: readonly AgentProgram[] = [codex, claude, gemini, opencode];
