// A new session, as a request describes it.
import { z } from "zod";
import { fail } from "../../core/contract/index.ts";
import type { createIds } from "../../platform/store/index.ts";
import { defaultModel, sessionKinds, toOpencodeModelId, toolNamed } from "../rules/index.ts";
import type { SandboxSession } from "../store/index.ts";
import type { SessionDeps } from "./deps.ts";

export const sessionRequest = z.object({
  id: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, "must be letters, digits, dots, dashes")
    .optional(),
  kind: z.enum(sessionKinds),
  configurationId: z.string().max(100).nullish(),
  title: z.string().max(200).optional(),
  model: z.string().max(200).default(defaultModel),
  systemPrompt: z.string().max(60_000).nullish(),
  agentConfig: z.object({ tools: z.array(z.string().max(100)).max(50).nullish() }).optional(),
  source: z.string().max(4096).nullish(),
  runId: z.string().min(1).max(200).nullish(),
  start: z.boolean().default(false),
});
export type SessionRequest = z.infer<typeof sessionRequest>;

/** Everything is checked before the session is created: an unknown model or tool creates no session. */
export async function createSession(
  { store, clock, sandboxes, openRuns, known }: SessionDeps,
  ids: ReturnType<typeof createIds>,
  request: SessionRequest,
  createdBy: string,
): Promise<SandboxSession> {
  toOpencodeModelId(request.model);
  const tools = request.agentConfig?.tools ?? null;
  for (const name of tools ?? []) if (!toolNamed(name)) fail("invalid_input", `There is no tool "${name}".`);
  const configurationId = request.kind === "scratch" ? null : (request.configurationId ?? null);
  if (configurationId === null && request.kind !== "scratch")
    fail("invalid_input", `A ${request.kind} session needs a configurationId.`, {
      remedy: "Make one with POST /api/configurations, or ask for a scratch session.",
    });
  const configuration = configurationId === null ? undefined : await store.configuration(configurationId);
  if (configurationId !== null && !configuration) fail("not_found", `There is no configuration ${configurationId}.`);
  const id = request.id ?? ids.next("ses");
  const now = clock.now();
  const bound = request.kind === "automation" && (!openRuns || request.runId);
  const runId = bound ? (request.runId ?? ids.next("arun")) : null;
  const session: SandboxSession = {
    id,
    title: known.text(id, request.title ?? `${request.kind} session`),
    sessionType: request.kind === "setup" ? "setup" : "coding",
    clientType: request.kind === "automation" ? "automation" : "user",
    configurationId,
    systemPrompt: request.systemPrompt ? known.text(id, request.systemPrompt) : null,
    tools,
    repoName: configuration?.name ?? null,
    runId,
    model: request.model,
    status: "pending",
    generation: 1,
    provider: sandboxes.id,
    boxId: null,
    agentSession: null,
    source: request.source ?? null,
    snapshotId: null,
    createdBy,
    createdAt: now,
    updatedAt: now,
    outcome: null,
    summary: null,
    error: null,
  };
  const blank = { completionId: null, completionHash: null, completion: null, completedAt: null };
  await store.addSession(
    session,
    runId === null ? undefined : { id: runId, sessionId: id, status: "running", createdAt: now, ...blank },
  );
  return session;
}
