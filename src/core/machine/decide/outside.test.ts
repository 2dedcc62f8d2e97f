// What happened to the work outside, and who may let it out: the news is recorded once, and never by a program.
import { describe, expect, it } from "vitest";
import { autopilot, Play } from "../../../../tests/support/play.ts";
import { deliveryOf, mayPush } from "../facts/index.ts";

const person = { kind: "person", surface: "cli" } as const;
const host = { kind: "host", surface: "mcp" } as const;
const commit = "a".repeat(40);
const target = { toBranch: "fix", pullRequest: { remote: "origin", url: "https://github.com/o/r.git" } };
const request = { commit, branch: "fix", remote: "origin", url: "https://github.com/o/r/pull/7", created: true };
const ci = (state: "passed" | "failed") => ({ commit, url: request.url, state, checks: [], logs: [] });
const done = () => new Play({ policy: autopilot, ...target }).go();

describe("a run whose work is outside", () => {
  it("records its request and each new result of CI once", () => {
    const play = done();
    for (let times = 0; times < 2; times += 1) {
      play.give({ type: "record_request", request, by: person });
      play.give({ type: "record_ci", ci: ci("failed"), by: person });
    }
    play.give({ type: "record_ci", ci: ci("passed"), by: person });
    expect(play.of("request_opened")).toHaveLength(1);
    expect(play.of("ci_recorded").map((event) => event.ci.state)).toEqual(["failed", "passed"]);
    expect(play.run).toMatchObject({ request, ci: { state: "passed" }, phase: { state: "completed" } });
  });

  it("takes no such news from a program, or about a run that is not completed", () => {
    expect(done().refusal({ type: "record_ci", ci: ci("passed"), by: host }).code).toBe("permission_denied");
    const open = new Play(target).go();
    expect(open.refusal({ type: "record_request", request, by: person }).message).toContain("is not completed");
  });

  it("is pushed only after a person approved the result, or where the user lets autopilot push", () => {
    expect(deliveryOf(done().run)).toEqual({ branch: "fix", pullRequest: true });
    expect(mayPush(done().run)).toBe(false);
    expect(mayPush(new Play({ policy: { ...autopilot, autopilotMayPush: true }, ...target }).go().run)).toBe(true);
    const asked = new Play(target).go().answer("approve").go();
    expect(mayPush(asked.run)).toBe(false);
    expect(asked.of("approval_required").at(-1)?.gate.subject.text).toContain(
      "pushed to fix of origin (https://github.com/o/r.git)",
    );
    expect(mayPush(asked.answer("approve").go().run)).toBe(true);
  });
});
