// One call in a sandbox: a session is made from the worktree, sent once, followed to the end of its turn, and stopped.
import type { PendingCall, ProviderAnswer, ProviderCall } from "../../core/contract/index.ts";
import type { GatewayClient } from "../../gateway/index.ts";

interface SandboxCall {
  readonly gateway: GatewayClient;
  readonly session: string;
  /** Null for the gateway's own choice. */
  readonly model: string | null;
  readonly call: ProviderCall;
  readonly signal: AbortSignal;
}

/** The message is the moment from which the agent may have begun; everything before it can be tried again. */
export async function sendToSandbox(sent: SandboxCall): Promise<PendingCall> {
  const { gateway, session, model, call } = sent;
  const made = (await gateway.ask("POST", "/api/configurations", {
    name: `run ${call.runId}`.slice(0, 200),
    source: call.workspace.dir,
  })) as { id: string };
  await gateway.ask("POST", "/api/sessions", {
    id: session,
    kind: "coding",
    configurationId: made.id,
    title: `${call.role} of ${call.runId}`.slice(0, 200),
    agentConfig: { tools: ["verify"] },
    start: true,
    ...(model === null ? {} : { model }),
  });
  await gateway.ask("POST", `/api/sessions/${session}/message`, { content: call.prompt });
  return { answer: followed(sent) };
}

/** Follows the session of an earlier process from its first event; undefined when it is gone. */
export async function reattachToSandbox(sent: SandboxCall): Promise<PendingCall | undefined> {
  const found = await sent.gateway.ask("GET", `/api/sessions/${sent.session}`).catch(() => undefined);
  return (found as { status?: string } | undefined)?.status === "running" ? { answer: followed(sent) } : undefined;
}

async function followed(sent: SandboxCall): Promise<ProviderAnswer> {
  const { gateway, session, call, signal } = sent;
  const began = performance.now();
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort("timed_out"), call.timeoutMs);
  const leave = () => ending.abort("aborted");
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });
  const end = (answer: Omit<ProviderAnswer, "durationMs">): ProviderAnswer => ({
    ...answer,
    durationMs: Math.round(performance.now() - began),
  });
  try {
    const turn = await lastTurn(gateway, session, call, ending.signal);
    if (ending.signal.aborted) return end({ outcome: ending.signal.reason as "timed_out" | "aborted", text: "" });
    if (turn.error !== undefined) return end({ outcome: "failed", text: turn.text, error: turn.error });
    if (Buffer.byteLength(turn.text) > call.maxAnswerBytes) return end({ outcome: "oversize", text: "" });
    const { patch } = (await gateway.ask("GET", `/api/sessions/${session}/diff`)) as { patch: string };
    const work = patch === "" || call.workspace.mode !== "worktree" ? {} : { patch: Buffer.from(patch) };
    return end({ outcome: "answered", text: turn.text, ...work });
  } catch (error) {
    if (ending.signal.aborted) return end({ outcome: ending.signal.reason as "timed_out" | "aborted", text: "" });
    return end({
      outcome: "failed",
      text: "",
      error: error instanceof Error ? error.message : String(error),
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", leave);
    // A sandbox that cannot be stopped now is stopped by a person; the answer does not wait for that.
    await gateway.ask("POST", `/api/sessions/${session}/stop`).catch(() => undefined);
  }
}

interface Turn {
  readonly text: string;
  readonly error?: string;
}

async function lastTurn(
  gateway: GatewayClient,
  session: string,
  call: ProviderCall,
  signal: AbortSignal,
): Promise<Turn> {
  let text = "";
  for await (const { type, data } of gateway.events(session, 0, signal)) {
    const about = data as Readonly<Record<string, unknown>>;
    if (type === "message" && about["role"] === "assistant") {
      text = String(about["text"]);
      call.news?.({ says: text });
    }
    if (type === "tool_start") call.progress?.(`${String(about["tool"])}`);
    if (type === "error") return { text, error: String(about["message"]) };
    if (type === "status" && about["status"] === "stopped") return { text, error: "The sandbox was stopped." };
    if (type === "message_complete") return { text };
  }
  return { text, error: "The gateway ended before the agent did." };
}
