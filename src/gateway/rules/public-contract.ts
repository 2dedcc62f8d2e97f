// The names of the public agent contract for clients: a request for a session, and the messages of its WebSocket. Names may be
// written with capitals or with underscores. What the contract names and this gateway does not have is refused by name.
import { z } from "zod";
import type { SessionKind } from "./session.ts";

const text = (most: number) => z.string().max(most).nullish();
const id = z.string().min(1).max(100).nullish();

const sessionTypes = ["coding", "setup", "cli"] as const;
const clientTypes = ["web", "slack", "cli", "user", "automation"] as const;
const agent = z.object({
  modelId: text(200),
  model_id: text(200),
  tools: z.array(z.string().max(100)).max(50).nullish(),
});

/** Fields that the contract does not name here, such as organizationId, are ignored: one gateway serves one organization. */
const publicSession = z.object({
  sessionType: z.enum(sessionTypes).nullish(),
  session_type: z.enum(sessionTypes).nullish(),
  clientType: z.enum(clientTypes).nullish(),
  client_type: z.enum(clientTypes).nullish(),
  configurationId: id,
  configuration_id: id,
  prebuildId: id,
  systemPrompt: text(60_000),
  system_prompt: text(60_000),
  initialPrompt: text(100_000),
  initial_prompt: text(100_000),
  title: text(200),
  sandboxMode: z.enum(["immediate", "deferred"]).nullish(),
  sandbox_mode: z.enum(["immediate", "deferred"]).nullish(),
  agentConfig: agent.nullish(),
  agent_config: agent.nullish(),
  runId: text(200),
  run_id: text(200),
});

export interface PublicSessionRequest {
  readonly kind: SessionKind;
  readonly configurationId: string | null;
  readonly systemPrompt: string | null;
  readonly initialPrompt: string | null;
  readonly title: string | undefined;
  readonly model: string | undefined;
  readonly tools: readonly string[] | null;
  readonly runId: string | null;
  /** `immediate`, and whatever has a first prompt. */
  readonly start: boolean;
}

/** Setup wins over automation; a session without a configuration is scratch. */
export const publicSessionRequest = publicSession.transform((given): PublicSessionRequest => {
  const configurationId = given.configurationId ?? given.configuration_id ?? given.prebuildId ?? null;
  const setup = (given.sessionType ?? given.session_type) === "setup";
  const automation = (given.clientType ?? given.client_type) === "automation";
  const config = given.agentConfig ?? given.agent_config;
  const initialPrompt = given.initialPrompt ?? given.initial_prompt ?? null;
  const mode = given.sandboxMode ?? given.sandbox_mode ?? "immediate";
  return {
    kind: configurationId === null ? "scratch" : setup ? "setup" : automation ? "automation" : "coding",
    configurationId,
    systemPrompt: given.systemPrompt ?? given.system_prompt ?? null,
    initialPrompt,
    title: given.title ?? undefined,
    model: config?.modelId ?? config?.model_id ?? undefined,
    tools: config?.tools ?? null,
    runId: given.runId ?? given.run_id ?? null,
    start: mode === "immediate" || initialPrompt !== null,
  };
});

export const publicMessage = z.object({
  type: z.literal("prompt").default("prompt"),
  content: z.string().min(1).max(500_000),
  images: z.array(z.unknown()).max(0, "are not taken by this gateway").default([]),
});

interface StoredEvent {
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface PublicEvent {
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

const statuses: Readonly<Record<string, string>> = {
  pending: "paused",
  starting: "creating",
  running: "running",
  stopped: "stopped",
  failed: "error",
};

export const publicStatus = (status: string): string => statuses[status] ?? status;

const actionEvents: Readonly<Record<string, string>> = {
  pending: "action_approval_request",
  denied: "action_approval_result",
  completed: "action_completed",
  failed: "action_completed",
};

const picked = (data: StoredEvent["data"], ...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, data[name] ?? null]));

/** An event of a session as a message of the contract; undefined for one that the contract does not have. */
export function publicEvent({ seq, at, type, data }: StoredEvent): PublicEvent | undefined {
  switch (type) {
    case "token":
      return { type, payload: picked(data, "messageId", "partId", "token") };
    case "message":
      return data["role"] === "user"
        ? { type, payload: messageOf({ seq, at, data }) }
        : { type: "text_part_complete", payload: picked(data, "messageId", "partId", "text") };
    case "tool_start":
      return { type, payload: picked(data, "messageId", "partId", "toolCallId", "tool", "args") };
    case "tool_end":
      return { type, payload: picked(data, "partId", "toolCallId", "tool", "result", "durationMs") };
    case "message_complete":
      return { type, payload: picked(data, "messageId") };
    case "status": {
      const status = statuses[String(data["status"])];
      return status === undefined
        ? undefined
        : { type, payload: { status, ...(data["message"] ? picked(data, "message") : {}) } };
    }
    case "error":
      return { type, payload: picked(data, "message") };
    case "action": {
      const named = actionEvents[String(data["status"])];
      return named === undefined ? undefined : { type: named, payload: { ...data, invocationId: data["id"] } };
    }
    default:
      return undefined;
  }
}

const messageOf = ({ seq, at, data }: Omit<StoredEvent, "type">) => ({
  id: String(data["messageId"] ?? seq),
  role: data["role"],
  content: data["text"],
  createdAt: new Date(at).toISOString(),
});

/** The messages so far, for a client that connects. */
export const publicMessages = (events: readonly StoredEvent[]) =>
  events.filter(({ type }) => type === "message").map(messageOf);
