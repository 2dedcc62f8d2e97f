// A session's sandbox and agent while they run: started, followed and stopped. The process that follows holds no state
// that a later one cannot read from the store and the sandbox again.
import { fail, FailureError } from "../../core/contract/index.ts";
import { timers } from "../../platform/system/index.ts";
import { agentAt, type SandboxAgent } from "../agent/opencode.ts";
import { Translator, type TranslatedEvent } from "../agent/translate.ts";
import { mustRun, type Box } from "../sandboxes/index.ts";
import {
  agentPort,
  boxFiles,
  places,
  systemPrompt,
  toolDefinitions,
  sandboxTools,
  toOpencodeModelId,
  type ServiceCommand,
} from "../rules/index.ts";
import type { SandboxSession } from "../store/index.ts";
import { PieceCleaner } from "./clean.ts";
import { excludeFromGit, storedValues, makeEnvFiles, readEnvFile, writeEnvFile, type Values } from "./env.ts";
import type { SessionDeps } from "./deps.ts";

/** Offline and quiet: nothing is downloaded when the agent starts. */
const agentEnv = {
  OPENCODE_DISABLE_MODELS_FETCH: "1",
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
};

const background =
  'cd "$1" && mkdir -p "$(dirname "$2")" && exec setsid -f sh -c "$3" > "$2" 2>&1 < /dev/null';
/** Starts a shell line that outlives the call; its output goes to a file. */
const startLine = (box: Box, line: string, log: string, cwd: string, env: Values): Promise<unknown> =>
  mustRun(box.exec, ["sh", "-c", background, "sh", cwd, log, line], { cwd: "/", env });

/** The sandbox of a new session, with its files and variables, before any agent. */
export async function openBox(parts: SessionDeps, session: SandboxSession): Promise<Box> {
  const { deps, known } = parts;
  const { store, boxes, tokens, clock, limits } = deps;
  const configuration =
    session.configurationId === null ? undefined : await store.configuration(session.configurationId);
  const from = session.snapshotId ?? configuration?.snapshotId ?? null;
  const snapshot = from === null ? undefined : await store.snapshot(from);
  const token = tokens.mint({
    kind: "sandbox",
    subject: session.id,
    generation: session.generation,
    expiresAt: clock.now() + limits.tokenMs,
  });
  const box = await boxes.create({
    sessionId: session.id,
    generation: session.generation,
    from: snapshot?.label ?? null,
    source: session.source ?? configuration?.source ?? null,
    env: {
      SANDBOX_MCP_AUTH_TOKEN: token,
      PROLIFERATE_GATEWAY_URL: boxes.gatewayUrl,
      PROLIFERATE_SESSION_ID: session.id,
    },
  });
  const set = boxFiles(session, session.model, { gatewayUrl: boxes.gatewayUrl, token }, deps.toolCode());
  await box.clear(set.clear);
  await box.write(set.files);
  if (!boxes.runsAgents) return box;
  const values = await storedValues(deps, session.configurationId);
  known.add(session.id, Object.values(values));
  await writeEnvFile(box, values);
  const made = makeEnvFiles(configuration, values);
  await box.write(made.files);
  const own = made.files.map(({ path }) => path.slice(places.workspace.length));
  await excludeFromGit(box, [...set.gitExclude, ...own]);
  for (const { path, keys } of made.missing)
    await parts.events.tell(session.id, "error", {
      message: `${path} was not made: ${keys.join(", ")} missing`,
    });
  for (const service of configuration?.serviceCommands ?? []) await startService(box, service, values);
  return box;
}

function startService(box: Box, { name, command, cwd, workspacePath }: ServiceCommand, values: Values) {
  const folder = [places.workspace, workspacePath ?? ".", cwd ?? "."].join("/");
  const log = `${places.serviceLogs}/${name.replaceAll(/[^\w.-]/g, "_")}.log`;
  return startLine(box, command, log, folder, values);
}

/** Starts the agent and holds it to its tools: a session whose agent lists others does not start. */
export async function startAgent(
  parts: SessionDeps,
  session: SandboxSession,
  box: Box,
): Promise<SandboxAgent> {
  const { deps, metrics } = parts;
  const command = `exec opencode serve --print-logs --log-level ERROR --port ${agentPort} --hostname 0.0.0.0`;
  const password = deps.tokens.agentPassword(session);
  const env = { ...agentEnv, OPENCODE_SERVER_PASSWORD: password };
  await startLine(box, command, "/tmp/opencode.log", places.workspace, env);
  const agent = agentAt(box.reach(agentPort), password);
  const tookMs = await agent.ready(deps.limits.readinessMs).catch(async (error: unknown) => {
    const log = (await box.exec(["tail", "-c", "2000", "/tmp/opencode.log"], { cwd: "/" })).stdout.toString(
      "utf8",
    );
    if (!(error instanceof FailureError)) throw error;
    return fail(error.failure.code, `${error.message} ${log}`.trim());
  });
  metrics.took("agent_ready", tookMs);
  deps.log({ level: "info", event: "agent_ready", sessionId: session.id, durationMs: tookMs });
  const listed = new Set(await agent.toolIds());
  const expected = sandboxTools(session).map(({ name }) => name as string);
  const wrong = toolDefinitions
    .map(({ name }) => name as string)
    .filter((name) => listed.has(name) !== expected.includes(name));
  if (wrong.length > 0)
    fail(
      "provider_unavailable",
      `The agent does not list exactly the tools of this session: ${wrong.join(", ")}.`,
      {
        remedy: "Look at the sandbox's /tmp/opencode.log, and use the pinned version of OpenCode.",
      },
    );
  return agent;
}

/** A sandbox of another process of ours: its values are read from it again, so that nothing of them is told. */
export async function rejoin(
  parts: SessionDeps,
  session: SandboxSession,
  own: boolean,
): Promise<Box | undefined> {
  if (session.boxId === null) return undefined;
  const box = await parts.deps.boxes.attach(session.boxId, own);
  if (!box || !parts.deps.boxes.runsAgents) return box;
  const kept = await storedValues(parts.deps, session.configurationId);
  parts.known.add(session.id, [...Object.values(kept), ...Object.values(await readEnvFile(box))]);
  return box;
}

const reconnectMs = [500, 1_000, 2_000, 5_000, 10_000, 30_000];
/** An agent that refuses so many connections in a row has ended. */
const mostRefused = 4;

/** Follows the agent's events until the signal fires; a lost connection is taken up again, an agent that ended is told. */
export async function followAgent(
  parts: SessionDeps,
  session: SandboxSession,
  agent: SandboxAgent,
  signal: AbortSignal,
): Promise<void> {
  const { events, known } = parts;
  const translator = new Translator(session.agentSession ?? "");
  const cleaners = new Map<unknown, PieceCleaner>();
  const tell = (told: TranslatedEvent): void => {
    const { partId } = told.data;
    const cleaner = cleaners.get(partId) ?? new PieceCleaner(() => known.of(session.id));
    if (told.type !== "token") {
      const rest = cleaners.delete(partId) ? cleaner.end() : "";
      if (rest !== "")
        void events.tell(session.id, "token", { messageId: told.data["messageId"], partId, token: rest });
      void events.tell(session.id, told.type, told.data);
      return;
    }
    cleaners.set(partId, cleaner);
    const token = cleaner.push(String(told.data["token"]));
    if (token !== "") void events.tell(session.id, "token", { ...told.data, token });
  };
  let refused = 0;
  for (let lost = 0; !signal.aborted; lost += 1) {
    const began = Date.now();
    try {
      await agent.events((event) => {
        refused = 0;
        translator.translate(event).forEach(tell);
      }, signal);
    } catch (error) {
      if (signal.aborted) return;
      refused += 1;
      parts.deps.log({
        level: "warn",
        event: "agent_events_lost",
        sessionId: session.id,
        why: String(error),
      });
    }
    if (refused >= mostRefused) return events.tell(session.id, "error", { message: "The agent has ended." });
    if (Date.now() - began > 60_000) lost = 0;
    await timers.sleep(reconnectMs[Math.min(lost, reconnectMs.length - 1)] ?? 30_000, signal);
  }
}

export const promptOf = (session: SandboxSession, text: string) => ({
  text,
  system: systemPrompt(session),
  model: toOpencodeModelId(session.model),
});

const maxDiffBytes = 32 << 20;
/** Ours, and never part of a change. */
const ownPaths = [".opencode", ".proliferate", "opencode.json"];

/** An own index, so that the agent's own staging stays as it is. */
const diffScript =
  'set -e; cd "$1"; shift; export GIT_INDEX_FILE=/tmp/.thehood-index; rm -f "$GIT_INDEX_FILE"; git read-tree HEAD; git -c core.hooksPath=/dev/null add -A; exec git -c core.hooksPath=/dev/null diff --cached --binary --full-index --no-ext-diff --no-textconv --no-color refs/thehood/base -- . "$@"';

export async function workspaceDiff(box: Box): Promise<string> {
  const excluded = ownPaths.map((name) => `:(exclude,top)${name}`);
  const { stdout } = await mustRun(box.exec, ["sh", "-c", diffScript, "sh", places.workspace, ...excluded], {
    cwd: "/",
    timeoutMs: 120_000,
    maxBytes: maxDiffBytes,
  });
  return stdout.toString("utf8");
}
