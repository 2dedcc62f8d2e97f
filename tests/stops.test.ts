// For each stop that a run can come to: the reason and a next command that works stand on the first screen.
import { describe, expect, it } from "vitest";
import {
  type CreateRun,
  type AskedRole,
  type RunCommand,
  type Suggestion,
  gateKinds,
  stopReasons,
} from "../src/core/contract/index.ts";
import { decide, next, openGates } from "../src/core/machine/index.ts";
import { compactStatus } from "../src/core/machine/view/index.ts";
import { createStyle } from "../src/surfaces/argv/index.ts";
import { statusText } from "../src/surfaces/cli/render/run-text.ts";
import { spell } from "../src/surfaces/cli/spell.ts";
import { type Play, agent, deps } from "./support/play.ts";
import { stops } from "./support/stops.ts";

const by = { kind: "person", surface: "cli" } as const;

/** The command of a person that the suggestion means; undefined where it only reads. */
function commandOf(play: Play, suggestion: Suggestion): Exclude<RunCommand, CreateRun> | undefined {
  const gate = openGates(play.run).find(
    ({ id }) => suggestion.suggest === "answer" && (suggestion.gateId ?? id) === id,
  );
  switch (suggestion.suggest) {
    case "answer": {
      const { answer, addTokens, addMinutes, addAnswers, addUsd, phrase } = suggestion;
      const { id = "", subject } = gate ?? {};
      const message = phrase ?? (answer === "revise" ? "other words" : "");
      const more = { addTokens, addMinutes, addAnswers, addUsd };
      const added = Object.entries(more).filter(([, amount]) => amount !== undefined);
      return {
        type: "answer",
        gateId: id,
        subjectSha256: subject?.sha256 ?? "",
        answer,
        message,
        by,
        ...Object.fromEntries(added),
      };
    }
    case "recheck":
    case "undo":
      return { type: suggestion.suggest, by };
    case "abort":
      return { type: "abort", reason: "", by };
    case "reconcile":
      return { type: "reconcile", role: null, by };
    case "assign_role":
      return {
        type: "switch_role",
        role: (suggestion.role ?? "planner") as AskedRole,
        assignment: agent("stub:new"),
        by,
      };
    default:
      return undefined;
  }
}

/** The first 24 rows of a terminal of 80 columns; a longer line takes several rows. */
const firstScreen = (text: string): string => {
  const rows = text.split("\n").flatMap((line) => (line === "" ? [""] : (line.match(/.{1,80}/gu) ?? [])));
  return rows.slice(0, 24).join("\n");
};

/** Whether the run takes the suggestion. */
function works(play: Play, suggestion: Suggestion): boolean {
  const wanted = commandOf(play, suggestion);
  if (wanted) return decide(play.run, wanted, play.now + 10, deps).ok;
  if (suggestion.suggest === "continue") return next(play.run) !== undefined;
  // A commit takes what an undo would take out.
  if (suggestion.suggest === "commit")
    return play.state === "completed" && works(play, { ...suggestion, suggest: "undo" });
  if (suggestion.suggest === "report") return play.run.report !== null;
  if (suggestion.suggest === "artifact") return play.run.artifacts.some(({ ref }) => ref === suggestion.ref);
  return ["logs", "show", "status"].includes(suggestion.suggest);
}

describe("[B-20] a stop says why, and what to do", () => {
  it.each(stops)("%s", (_name, make, reason) => {
    const play = make();
    expect(next(play.run)?.kind ?? "nothing").toMatch(/nothing|retire_workspace/);
    const status = compactStatus(play.run);
    const gates = openGates(play.run).map(({ subject }) => ({ text: subject.text, whole: true }));
    const screen = firstScreen(statusText(status, gates, createStyle(false), spell));
    expect(screen).toMatch(reason);
    const commands = status.next.flatMap(({ command }) => (command === null ? [] : [command]));
    for (const command of commands) expect(works(play, command), JSON.stringify(command)).toBe(true);
    expect(screen).not.toMatch(/→ .* N\b/);
    expect(play.state === "aborted" || /→ thehood [a-z]+/.test(screen)).toBe(true);
  });

  it("each kind of gate is among them", () => {
    const reached = stops.flatMap(([, make]) =>
      openGates(make().run).flatMap(({ kind, parts }) => [kind, ...(parts ?? []).map((part) => part.kind)]),
    );
    expect(gateKinds.filter((kind) => !reached.includes(kind))).toEqual([]);
  });

  it("each reason for which a run ends, or waits at a gate, is among them", () => {
    const reached = stops.flatMap(([, make]) => {
      const { run } = make();
      const ended = "stopReason" in run.phase ? [run.phase.stopReason] : [];
      return [...ended, ...openGates(run).flatMap(({ kind, cause }) => [kind, cause])];
    });
    expect(stopReasons.filter((reason) => !reached.includes(reason))).toEqual([]);
  });
});
