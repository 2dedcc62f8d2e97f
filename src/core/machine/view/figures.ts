// The figures of one run from its log, and the sum of many: calls, tokens, cost, time, decisions, repairs, sabotages.
import { costOf } from "../facts/index.ts";
import type { RunEvent, StoredEvent } from "../../contract/index.ts";

export interface CallFigures {
  readonly role: string;
  readonly agent: string;
  readonly tokens: number;
  /** Null where it is neither reported nor estimated. */
  readonly usd: number | null;
  readonly estimated: boolean;
  readonly ms: number;
  /** The response was refused, or there was none. */
  readonly lost: boolean;
}

export interface RunFigures {
  readonly end: "accepted" | "refused" | "open";
  readonly calls: readonly CallFigures[];
  /** Changed lines of the work that was accepted. */
  readonly lines: number;
  readonly repairs: number;
  /** Decisions of a person. */
  readonly questions: number;
  readonly checkMs: number;
  readonly sabotages: { readonly tried: number; readonly noticed: number };
}

type Of<T extends RunEvent["type"]> = Extract<RunEvent, { readonly type: T }>;

export function figuresOf(log: readonly Pick<StoredEvent<RunEvent>, "event">[]): RunFigures {
  const events = log.map(({ event }) => event);
  const all = <T extends RunEvent["type"]>(type: T) => events.filter((event): event is Of<T> => event.type === type);
  const asked = new Map(all("agent_asked").map(({ call }) => [call.callId, call.assignment]));
  const end = endOf(events);
  const limited = all("run_created").some(({ policy }) => (policy.budgets.maxUsd ?? null) !== null);
  const judged = all("integration_patch_prepared").at(-1)?.judgement;
  const checks = all("check_executed").map(({ check }) => check);
  const controls = checks.flatMap(({ control }) => (control && control !== "off" ? [control] : []));
  return {
    end,
    calls: all("agent_response").map(({ callId, role, outcome, usage, tookMs }) => {
      const agent = asked.get(callId);
      const cost = agent ? costOf(agent, usage, limited) : null;
      return {
        role,
        agent: agent?.assignment ?? "unknown",
        tokens: usage.inputTokens + usage.outputTokens,
        usd: agent?.modelBacked === false ? 0 : (cost?.usd ?? null),
        estimated: cost?.estimated ?? false,
        ms: tookMs,
        lost: outcome.result !== "accepted",
      };
    }),
    lines: end === "accepted" && judged ? judged.addedLines + judged.removedLines : 0,
    repairs: all("revision_delegated").length,
    questions: all("approval_recorded").length,
    checkMs: sum(checks.map(({ durationMs }) => durationMs)),
    sabotages: { tried: sum(controls.map(({ ran }) => ran)), noticed: sum(controls.map(({ noticed }) => noticed)) },
  };
}

function endOf(events: readonly RunEvent[]): RunFigures["end"] {
  const last = events.findLast(({ type }) => ["run_completed", "run_failed", "run_aborted"].includes(type));
  if (!last) return "open";
  // Work that a person took out again was not accepted in the end.
  const undone = events.some(({ type }) => type === "work_taken_out");
  return last.type === "run_completed" && !undone ? "accepted" : "refused";
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** One row of the sum: all runs, or those of one role, agent or repository. */
export interface FiguresRow {
  readonly name: string;
  readonly calls: number;
  readonly lostCalls: number;
  readonly tokens: number;
  readonly usd: number;
  /** The part of `usd` that is estimated from tokens. */
  readonly estimatedUsd: number;
  /** Calls of a model whose cost is neither reported nor estimated: the sum in dollars is without them. */
  readonly callsOfUnknownCost: number;
  readonly minutes: number;
}

export interface FiguresTotal extends FiguresRow {
  readonly runs: { readonly accepted: number; readonly refused: number; readonly open: number };
  readonly repairs: number;
  readonly questions: number;
  readonly checkMinutes: number;
  readonly sabotages: RunFigures["sabotages"];
  readonly changedLines: number;
  /** Null without an accepted run, or where the cost of a call is unknown. */
  readonly usdPerAcceptedRun: number | null;
  readonly usdPerChangedLine: number | null;
}

const minutes = (ms: number): number => Math.round(ms / 600) / 100;
const dollars = (usd: number): number => Math.round(usd * 1e6) / 1e6;

export function sumOfCalls(name: string, calls: readonly CallFigures[]): FiguresRow {
  return {
    name,
    calls: calls.length,
    lostCalls: calls.filter(({ lost }) => lost).length,
    tokens: sum(calls.map(({ tokens }) => tokens)),
    usd: dollars(sum(calls.map(({ usd }) => usd ?? 0))),
    estimatedUsd: dollars(sum(calls.map(({ usd, estimated }) => (estimated ? (usd ?? 0) : 0)))),
    callsOfUnknownCost: calls.filter(({ usd }) => usd === null).length,
    minutes: minutes(sum(calls.map(({ ms }) => ms))),
  };
}

export function sumOfRuns(runs: readonly RunFigures[]): FiguresTotal {
  const row = sumOfCalls(
    "all",
    runs.flatMap(({ calls }) => calls),
  );
  const ended = (end: RunFigures["end"]) => runs.filter((run) => run.end === end).length;
  const accepted = ended("accepted");
  const changedLines = sum(runs.map(({ lines }) => lines));
  const perOne = (number: number) => (number === 0 || row.callsOfUnknownCost > 0 ? null : dollars(row.usd / number));
  return {
    ...row,
    runs: { accepted, refused: ended("refused"), open: ended("open") },
    repairs: sum(runs.map(({ repairs }) => repairs)),
    questions: sum(runs.map(({ questions }) => questions)),
    checkMinutes: minutes(sum(runs.map(({ checkMs }) => checkMs))),
    sabotages: {
      tried: sum(runs.map(({ sabotages }) => sabotages.tried)),
      noticed: sum(runs.map(({ sabotages }) => sabotages.noticed)),
    },
    changedLines,
    usdPerAcceptedRun: perOne(accepted),
    usdPerChangedLine: perOne(changedLines),
  };
}

/** The calls of all runs by role or agent, the one with the most tokens first. */
export function sumsBy(key: "role" | "agent", runs: readonly RunFigures[]): FiguresRow[] {
  const groups = Map.groupBy(
    runs.flatMap(({ calls }) => calls),
    (call) => call[key],
  );
  return [...groups].map(([name, calls]) => sumOfCalls(name, calls)).sort((one, other) => other.tokens - one.tokens);
}
