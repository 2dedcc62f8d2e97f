// A turn of the agent that ended while no connection followed it: the agent is asked for its state, and the end is stored late.
import { timers } from "../../platform/system/index.ts";
import type { SandboxAgent } from "../agent/opencode.ts";
import type { Translator } from "../agent/translate.ts";
import type { SandboxSession, SessionEvent } from "../store/index.ts";
import type { AgentEvents } from "./agent-events.ts";
import type { SessionDeps } from "./deps.ts";

/** A message that is stored reaches the agent within this time, or never. */
const deliveryMs = 35_000;
const againMs = 1_000;

interface OpenTurn {
  /** When the message that began it was stored. */
  readonly at: number;
  /** The agent has begun to work on it. */
  readonly begun: boolean;
}

const restarts = new Set(["starting", "stopped", "failed"]);
const ends = ({ type, data }: SessionEvent): boolean =>
  type === "message_complete" || (type === "status" && restarts.has(String(data["status"])));
const asks = ({ type, data }: SessionEvent): boolean => type === "message" && data["role"] === "user";
const works = ({ type, data }: SessionEvent): boolean =>
  type === "message" || type.startsWith("tool_") || (type === "status" && data["status"] === "busy");

/** The turn after the last message of the user, if its end is not stored. */
export function openTurn(events: readonly SessionEvent[]): OpenTurn | undefined {
  const asked = events.findLastIndex(asks);
  const message = events[asked];
  if (!message || events.findLastIndex(ends) > asked) return undefined;
  return { at: message.at, begun: events.slice(asked + 1).some(works) };
}

interface Followed {
  readonly deps: SessionDeps;
  readonly session: SandboxSession;
  readonly agent: Pick<SandboxAgent, "idle">;
  readonly translator: Translator;
  readonly events: AgentEvents;
  readonly signal: AbortSignal;
}

/** Stores the end of an open turn if the agent is idle. The end of a turn that goes on comes with its events. */
export async function endMissedTurn({ deps, session, agent, translator, events, signal }: Followed): Promise<void> {
  const { id, agentSession } = session;
  while (!signal.aborted) {
    const seen = translator.ends;
    await events.settled();
    const turn = openTurn(await deps.events.last(id));
    if (!turn || !(await agent.idle(agentSession ?? ""))) return;
    const delivered = turn.begun || deps.clock.now() - turn.at > deliveryMs;
    if (delivered && translator.ends === seen) {
      deps.log({ level: "info", event: "turn_end_missed", sessionId: id });
      return translator.missedEnd().forEach((event) => events.add(event));
    }
    await timers.sleep(againMs, signal);
  }
}
