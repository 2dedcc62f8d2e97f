// Follows the agent of a session: its events are stored, a lost connection is opened again, and an agent that ended is reported.
import { timers } from "../../platform/system/index.ts";
import type { SandboxAgent } from "../agent/opencode.ts";
import { callKey, Translator, type SeenParts } from "../agent/translate.ts";
import type { SandboxSession, SessionEvent } from "../store/index.ts";
import { AgentEvents } from "./agent-events.ts";
import type { SessionDeps } from "./deps.ts";
import { endMissedTurn, openTurn } from "./missed-end.ts";

/** The calls and messages that are stored already. */
function seenIn(events: readonly SessionEvent[]): SeenParts {
  const of = (type: string) => events.filter((one) => one.type === type).map(({ data }) => data);
  const keys = (type: string): string[] =>
    of(type).map((data) => callKey(String(data["messageId"]), String(data["toolCallId"])));
  const parts = of("message").map((data) => String(data["partId"] ?? ""));
  return { started: keys("tool_start"), ended: [...keys("tool_end"), ...parts] };
}

const reconnectMs = [500, 1_000, 2_000, 5_000, 10_000, 30_000];
/** An agent that refuses 4 connections in a row has ended. */
const maxRefused = 4;

/** What is stored of the session. Without it each call that the agent still knows would be stored again. */
async function storedEvents(deps: SessionDeps, sessionId: string, signal: AbortSignal): Promise<SessionEvent[]> {
  for (let failed = 0; !signal.aborted; failed += 1)
    try {
      return await deps.events.last(sessionId);
    } catch (error) {
      deps.log({ level: "error", event: "store", sessionId, why: String(error) });
      await timers.sleep(reconnectMs[Math.min(failed, reconnectMs.length - 1)] ?? 30_000, signal);
    }
  return [];
}

/** Follows the agent's events until the signal fires. */
export async function followAgent(
  deps: SessionDeps,
  session: SandboxSession,
  agent: SandboxAgent,
  signal: AbortSignal,
): Promise<void> {
  const events = new AgentEvents(deps, session.id, signal);
  const stored = await storedEvents(deps, session.id, signal);
  const translator = new Translator(session.agentSession ?? "", seenIn(stored));
  let since = stored.at(-1)?.at ?? 0;
  /** Asks for what happened while nobody followed: the agent still knows it. */
  const catchUp = async (from: number): Promise<void> => {
    try {
      translator.missed(await agent.messages(session.agentSession ?? ""), from).forEach((one) => events.add(one));
      await endMissedTurn({ deps, session, agent, translator, events, signal });
    } catch (error) {
      deps.log({ level: "warn", event: "agent_messages", sessionId: session.id, why: String(error) });
    }
  };
  let refused = 0;
  for (let lost = 0; !signal.aborted; lost += 1) {
    const began = Date.now();
    let connected = false;
    try {
      await agent.events((event) => {
        refused = 0;
        if (!connected) void catchUp(since);
        connected = true;
        translator.translate(event).forEach((one) => events.add(one));
      }, signal);
    } catch (error) {
      if (signal.aborted) return;
      refused += 1;
      deps.log({ level: "warn", event: "agent_events_lost", sessionId: session.id, why: String(error) });
    }
    if (connected) since = Date.now();
    if (refused >= maxRefused) {
      events.add({ type: "error", data: { message: "The agent has ended." } });
      await events.settled();
      if (openTurn(await storedEvents(deps, session.id, signal))) events.add({ type: "message_complete", data: {} });
      return events.settled();
    }
    if (Date.now() - began > 60_000) lost = 0;
    await timers.sleep(reconnectMs[Math.min(lost, reconnectMs.length - 1)] ?? 30_000, signal);
  }
}
