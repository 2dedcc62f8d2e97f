// Follows the agent of a session: its events are stored, a lost connection is opened again, and an agent that ended is reported.
import { timers } from "../../platform/system/index.ts";
import type { SandboxAgent } from "../agent/opencode.ts";
import { Translator } from "../agent/translate.ts";
import type { SandboxSession } from "../store/index.ts";
import { AgentEvents } from "./agent-events.ts";
import type { SessionDeps } from "./deps.ts";

const reconnectMs = [500, 1_000, 2_000, 5_000, 10_000, 30_000];
/** An agent that refuses 4 connections in a row has ended. */
const maxRefused = 4;

/** Follows the agent's events until the signal fires. */
export async function followAgent(
  deps: SessionDeps,
  session: SandboxSession,
  agent: SandboxAgent,
  signal: AbortSignal,
): Promise<void> {
  const events = new AgentEvents(deps, session.id, signal);
  const translator = new Translator(session.agentSession ?? "");
  let refused = 0;
  for (let lost = 0; !signal.aborted; lost += 1) {
    const began = Date.now();
    try {
      await agent.events((event) => {
        refused = 0;
        translator.translate(event).forEach((one) => events.add(one));
      }, signal);
    } catch (error) {
      if (signal.aborted) return;
      refused += 1;
      deps.log({ level: "warn", event: "agent_events_lost", sessionId: session.id, why: String(error) });
    }
    if (refused >= maxRefused) {
      events.add({ type: "error", data: { message: "The agent has ended." } });
      return events.settled();
    }
    if (Date.now() - began > 60_000) lost = 0;
    await timers.sleep(reconnectMs[Math.min(lost, reconnectMs.length - 1)] ?? 30_000, signal);
  }
}
