// A message of a person to a run under way: who gets it, what it stops, and what it may change.
import { describe, expect, it } from "vitest";
import type { RunCommand } from "../../contract/index.ts";
import { autopilot, creation, Play } from "../../../../tests/support/play.ts";
import { buildFinalReport, next, openGates } from "../index.ts";

type Tell = Extract<RunCommand, { type: "tell" }>;

const person = { kind: "person", surface: "cli", name: "ada" } as const;
const tell = (message: Partial<Tell["message"]> = {}, by: Tell["by"] = person): Tell => ({
  type: "tell",
  message: { text: "keep the old name", how: "next", ...message },
  by,
});

/** Until the worker's call is out. */
function working(create: ConstructorParameters<typeof Play>[0] = { policy: autopilot }): Play {
  const play = new Play(create);
  for (let most = 0; most < 100; most += 1) {
    const effect = next(play.run);
    if (effect?.kind === "call_provider" && effect.call.role === "implementer") break;
    play.step();
  }
  play.send();
  return play;
}

const drafts = (play: Play) => play.effects.flatMap((one) => (one.kind === "write_directive" ? [one] : []));
const draftsAfter = (play: Play, count: number) => drafts(play).slice(count);

describe("[B-38] words for the next call", () => {
  it("reach the worker's successors and every reviewer, stand in the report with their author, and stop nothing", () => {
    const play = working();
    const before = drafts(play).length;
    play.give(tell()).go();
    expect(play.state).toBe("completed");
    const later = draftsAfter(play, before);
    expect(later.map(({ call }) => call.role)).toContain("verifier");
    for (const { draft } of later) expect(draft.instructions).toContain("Message of the person: keep the old name");
    expect(play.of("message_received")[0]).toMatchObject({ by: person, message: { how: "next" } });
    const { report, markdown } = buildFinalReport(play.run);
    expect(report.messages).toMatchObject([{ by: "ada (cli)", text: "keep the old name", given: true, stopped: null }]);
    expect(markdown).toContain("ada (cli): “keep the old name”");
  });

  it("that no agent was given keep autopilot from applying the work, and the sheet names them", () => {
    const play = working();
    for (let most = 0; most < 100 && !drafts(play).some(({ call }) => call.role === "verifier"); most += 1) play.step();
    play.give(tell({ text: "and the docs" })).go();
    expect(play.gate).toBe("isolated_patch_application");
    expect(openGates(play.run)[0]?.subject.text).toContain("no agent has worked by it: “and the docs”");
    play.answer("approve").go();
    expect(play.state).toBe("completed");
    expect(buildFinalReport(play.run).markdown).toContain("given to no agent: the run was over first");
  });
});

describe("[B-38] words that stop the call in progress", () => {
  it("have it asked again with them; its late answer counts no more", () => {
    const play = working();
    const out = play.effects.findLast(({ kind }) => kind === "call_provider");
    const { responses } = play.run.spent;
    play.give(tell({ how: "now" }));
    const [received] = play.of("message_received");
    expect(received?.callId).toBe(out?.kind === "call_provider" ? out.call.callId : null);
    expect(play.of("agent_response").at(-1)?.outcome).toMatchObject({ result: "in_doubt" });
    expect(play.of("agent_asked").at(-1)?.call).toMatchObject({ role: "implementer", retryOf: received?.callId });
    expect(play.run.spent.responses).toBe(responses);
    const late = { kind: "effect_failed", code: "internal", message: "late", remedy: null } as const;
    expect(play.refusal({ type: "effect_done", key: out?.key ?? "", tookMs: 1, outcome: late }).code).toBe("conflict");
    play.go();
    expect(play.state).toBe("completed");
    expect(buildFinalReport(play.run).report.messages).toMatchObject([{ stopped: received?.callId, given: true }]);
  });

  it("with cancel leave the decision to the person, who may ask again", () => {
    const play = working().give(tell({ how: "cancel", text: "wait" }));
    expect(play.gate).toBe("provider_in_doubt");
    expect(openGates(play.run)[0]?.subject.text).toContain("stopped by you: wait");
    play.answer("retry").go();
    expect(play.state).toBe("completed");
  });

  it("stop nothing where nothing is in progress", () => {
    const play = new Play().go();
    play.give(tell({ how: "now" }));
    expect(play.of("message_received")[0]?.callId).toBeUndefined();
    expect(play.refusal(tell({ how: "cancel" })).message).toContain("no call to cancel");
  });
});

describe("[B-38] words about the scope", () => {
  it("narrow it at once", () => {
    const play = working().give(tell({ disallowedPaths: ["src/legacy/**"] }));
    expect(openGates(play.run)).toHaveLength(0);
    play.go();
    const judged = play.effects.find(({ kind }) => kind === "judge_patch");
    expect(judged?.kind === "judge_patch" && judged.policy.disallowedPaths).toContain("src/legacy/**");
  });

  it("widen it only through a gate that no policy passes, while the run goes on within its old scope", () => {
    const widens = { allowedPaths: ["docs/**"], acceptanceCriteria: ["the guide names it"], addTokens: 500 };
    const policy = { ...autopilot, allowedPaths: ["src/**"] };
    const play = working({ policy, acceptanceCriteria: [] }).give(tell({ widens }));
    expect(openGates(play.run).map(({ kind, lane }) => `${lane} ${kind}`)).toEqual(["side scope_change"]);
    expect(play.run.scope).toMatchObject({ allowedPaths: ["src/**"], acceptanceCriteria: [] });
    expect(play.refusal(tell({ widens })).message).toContain("waits for your answer already");
    play.answer("approve");
    expect(play.run.scope).toMatchObject({
      allowedPaths: ["src/**", "docs/**"],
      acceptanceCriteria: ["the guide names it"],
    });
    expect(play.of("budget_extended")).toMatchObject([{ addTokens: 500, by: { kind: "person" } }]);
    const before = drafts(play).length;
    play.go();
    expect(play.state).toBe("completed");
    expect(JSON.stringify(draftsAfter(play, before).at(-1)?.draft.variables)).toContain("the guide names it");
  });

  it("leave it as it is when the person rejects the wider one, also when the run ends first", () => {
    const widens = { acceptanceCriteria: ["more"] };
    const open = { policy: autopilot, acceptanceCriteria: [] };
    const refused = working(open).give(tell({ widens })).answer("reject").go();
    expect(refused.state).toBe("completed");
    expect(refused.run.scope.acceptanceCriteria).toEqual([]);
    expect(buildFinalReport(refused.run).markdown).toContain("wider scope not approved");
    const over = working().give(tell({ widens })).go();
    expect(over.state).toBe("completed");
    expect(openGates(over.run)).toHaveLength(0);
  });
});

describe("nobody else tells a run", () => {
  it("a program does not, and nobody a run that is over or that shows its result", () => {
    const host = { kind: "host", surface: "mcp" } as const;
    expect(working().refusal(tell({}, host)).code).toBe("permission_denied");
    expect(working().go().refusal(tell()).code).toBe("illegal_transition");
    const shown = new Play().go().answer("approve").go();
    expect(shown.gate).toBe("isolated_patch_application");
    expect(shown.refusal(tell()).remedy).toContain("Send the work back with your words");
  });

  it("and goal and criteria of a start are replaced by a person with its approval only", () => {
    const mine = { goal: "let it add", acceptanceCriteria: ["it adds"] };
    const program = { by: { kind: "host", surface: "mcp" } as const };
    const hostMayApprove = { policy: { ...creation().policy, hostMayApprove: true } };
    const play = new Play({ acceptanceCriteria: ["guessed"], ...hostMayApprove }).go();
    expect(() => play.answer("approve", undefined, { ...mine, ...program })).toThrow("Only a person");
    play.answer("approve", undefined, mine);
    expect(play.run.scope.acceptanceCriteria).toEqual(["it adds"]);
    expect(play.run.created.goal).toBe("let it add");
    play.go();
    for (const one of [{ goal: mine.goal }, { acceptanceCriteria: mine.acceptanceCriteria }])
      expect(() => play.answer("approve", undefined, one)).toThrow("together with the start");
  });
});
