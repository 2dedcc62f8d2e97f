// Starts and follows a session's sandbox and agent. All state is in the store and the sandbox, so a later process can go on.
import { fail, FailureError } from "../../core/contract/index.ts";
import { agentAt, type SandboxAgent } from "../agent/opencode.ts";
import { mustRun, type Sandbox } from "../sandboxes/index.ts";
import {
  agentPort,
  sandboxFiles,
  places,
  systemPrompt,
  toolDefinitions,
  sandboxTools,
  toOpencodeModelId,
  type ServiceCommand,
} from "../rules/index.ts";
import type { SandboxSession } from "../store/index.ts";
import { excludeFromGit, storedValues, makeEnvFiles, readEnvFile, writeEnvFile, type Values } from "./env.ts";
import type { SessionDeps } from "./deps.ts";

/** The agent downloads nothing when it starts. */
const agentEnv = {
  OPENCODE_DISABLE_MODELS_FETCH: "1",
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
};

const background = 'cd "$1" && mkdir -p "$(dirname "$2")" && exec setsid -f sh -c "$3" > "$2" 2>&1 < /dev/null';
/** Starts a shell line that outlives the call; its output goes to a file. */
const startLine = (sandbox: Sandbox, line: string, log: string, cwd: string, env: Values): Promise<unknown> =>
  mustRun(sandbox.exec, ["sh", "-c", background, "sh", cwd, log, line], { cwd: "/", env });

/** The sandbox of a new session, with its files and variables, before any agent. */
export async function openSandbox(deps: SessionDeps, session: SandboxSession): Promise<Sandbox> {
  const { store, sandboxes, tokens, clock, limits, known } = deps;
  const configuration =
    session.configurationId === null ? undefined : await store.configuration(session.configurationId);
  const from = session.snapshotId ?? configuration?.snapshotId ?? null;
  const snapshot = from === null ? undefined : await store.snapshot(from);
  const ownState = snapshot?.sessionId === session.id;
  const token = tokens.mint({
    kind: "sandbox",
    subject: session.id,
    generation: session.generation,
    expiresAt: clock.now() + limits.tokenMs,
  });
  const sandbox = await sandboxes.create({
    sessionId: session.id,
    generation: session.generation,
    from: snapshot?.label ?? null,
    own: ownState,
    source: session.source ?? configuration?.source ?? null,
    env: {
      SANDBOX_MCP_AUTH_TOKEN: token,
      PROLIFERATE_GATEWAY_URL: sandboxes.gatewayUrl,
      PROLIFERATE_SESSION_ID: session.id,
    },
  });
  // Evidence that comes with the snapshot of another session is not evidence of this one.
  if (snapshot && !ownState) await sandbox.clear([`${places.workspace}/${places.evidence}`]);
  const code = { tools: deps.toolCode(), actions: deps.actionsCode() };
  const set = sandboxFiles(session, session.model, { gatewayUrl: sandboxes.gatewayUrl, token }, code);
  await sandbox.clear(set.clear);
  await sandbox.write(set.files);
  if (ownState) await sandbox.clear([places.began]);
  else await sandbox.write([{ path: places.began, text: "" }]);
  if (!sandboxes.runsAgents) return sandbox;
  const values = await storedValues(deps, session.configurationId);
  known.add(session.id, Object.values(values));
  await writeEnvFile(sandbox, values);
  const made = makeEnvFiles(configuration, values);
  await sandbox.write(made.files);
  const own = made.files.map(({ path }) => path.slice(places.workspace.length));
  await excludeFromGit(sandbox, [...set.gitExclude, ...own]);
  for (const { path, keys } of made.missing)
    await deps.events.append(session.id, {
      type: "error",
      data: { message: `${path} was not made: ${keys.join(", ")} missing` },
    });
  for (const service of configuration?.serviceCommands ?? []) await startService(sandbox, service, values);
  return sandbox;
}

function startService(sandbox: Sandbox, { name, command, cwd, workspacePath }: ServiceCommand, values: Values) {
  const folder = [places.workspace, workspacePath ?? ".", cwd ?? "."].join("/");
  const log = `${places.serviceLogs}/${name.replaceAll(/[^\w.-]/g, "_")}.log`;
  return startLine(sandbox, command, log, folder, values);
}

/** Starts the agent. A session whose agent lists other tools than its own does not start. */
export async function startAgent(deps: SessionDeps, session: SandboxSession, sandbox: Sandbox): Promise<SandboxAgent> {
  const command = `PATH="${places.programs}:$PATH" exec opencode serve --print-logs --log-level ERROR --port ${agentPort} --hostname 0.0.0.0`;
  const password = deps.tokens.agentPassword(session);
  const env = { ...agentEnv, OPENCODE_SERVER_PASSWORD: password };
  await startLine(sandbox, command, "/tmp/opencode.log", places.workspace, env);
  const agent = agentAt(sandbox.reach(agentPort), password);
  const tookMs = await agent.ready(deps.limits.readinessMs).catch(async (error: unknown) => {
    const log = (await sandbox.exec(["tail", "-c", "2000", "/tmp/opencode.log"], { cwd: "/" })).stdout.toString("utf8");
    if (!(error instanceof FailureError)) throw error;
    return fail(error.failure.code, `${error.message} ${log}`.trim());
  });
  deps.metrics.took("agent_ready", tookMs);
  deps.log({ level: "info", event: "agent_ready", sessionId: session.id, durationMs: tookMs });
  const listed = new Set(await agent.toolIds());
  const expected = sandboxTools(session).map(({ name }) => name as string);
  const wrong = toolDefinitions
    .map(({ name }) => name as string)
    .filter((name) => listed.has(name) !== expected.includes(name));
  if (wrong.length > 0)
    fail("provider_unavailable", `The agent does not list exactly the tools of this session: ${wrong.join(", ")}.`, {
      remedy: "Read the sandbox's /tmp/opencode.log, and use the pinned version of OpenCode.",
    });
  return agent;
}

/** Attaches to a sandbox of another process of ours and reads its values, so that they are removed from all output. */
export async function rejoin(deps: SessionDeps, session: SandboxSession, own: boolean): Promise<Sandbox | undefined> {
  if (session.boxId === null) return undefined;
  const sandbox = await deps.sandboxes.attach(session.boxId, own);
  if (sandbox) await learnValues(deps, session, sandbox);
  return sandbox;
}

/** Reads the values of a session, so that they are removed from all output. Another gateway may have added some. */
export async function learnValues(deps: SessionDeps, session: SandboxSession, sandbox: Sandbox): Promise<void> {
  if (!deps.sandboxes.runsAgents) return;
  const stored = await storedValues(deps, session.configurationId);
  deps.known.add(session.id, [...Object.values(stored), ...Object.values(await readEnvFile(sandbox))]);
}

export const promptOf = (session: SandboxSession, text: string) => ({
  text,
  system: systemPrompt(session),
  model: toOpencodeModelId(session.model),
});

const maxDiffBytes = 32 << 20;
/** Paths that we write; they are not part of a diff. */
const ownPaths = [".opencode", ".proliferate", "opencode.json"];

/** Uses a separate index, so the agent's staged changes stay. */
const diffScript =
  'set -e; cd "$1"; shift; export GIT_INDEX_FILE=/tmp/.thehood-index; rm -f "$GIT_INDEX_FILE"; git read-tree HEAD; git -c core.hooksPath=/dev/null add -A; exec git -c core.hooksPath=/dev/null diff --cached --binary --full-index --no-ext-diff --no-textconv --no-color refs/thehood/base -- . "$@"';

export async function workspaceDiff(sandbox: Sandbox): Promise<string> {
  const excluded = ownPaths.map((name) => `:(exclude,top)${name}`);
  const { stdout } = await mustRun(sandbox.exec, ["sh", "-c", diffScript, "sh", places.workspace, ...excluded], {
    cwd: "/",
    timeoutMs: 120_000,
    maxBytes: maxDiffBytes,
  });
  return stdout.toString("utf8");
}
