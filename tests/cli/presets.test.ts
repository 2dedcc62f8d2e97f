// Each ready-made team of Codex and Claude Code through a whole run. The programs are stand-ins that take their arguments and
// answer as the real ones were seen to; `npm run test:agents` has the real ones.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { teamPresets } from "../../src/core/crew/team-table.ts";
import { bothKeys, machine } from "./crew-scene.ts";
import { addsLine } from "./program.ts";

const recorded = resolve(import.meta.dirname, "../support/recorded");
const teams = teamPresets.filter(({ roles }) =>
  Object.values(roles).every((agent) => /^(?:codex-cli|claude-code):/.test(agent)),
);

/** One file: a program that stands alone in its folder is shown alone to its sandbox. */
const standIn = (program: string): string => {
  const read = (name: string) => readFileSync(join(recorded, name), "utf8");
  return read(program).replace(/^\. answer\.sh$/m, () => read("answer.sh"));
};

interface Answered {
  readonly events: { readonly event: { readonly type: string; readonly role?: string } }[];
}

describe("a ready-made team", () => {
  it("of Codex and Claude Code is most of them", () => {
    expect(teams.length).toBeGreaterThanOrEqual(6);
  });

  it.each(teams)("[R-5] [R-26] $name fixes, checks, reviews and integrates", ({ name, roles }) => {
    const { on, bin, repo } = machine();
    for (const program of ["codex", "claude"]) writeFileSync(join(bin, program), standIn(program), { mode: 0o755 });
    const command = ["run", "make add() add", "--team", name, "--approvals", "autopilot", "--check", addsLine];
    const ran = on([...command, "--json"], bothKeys);
    expect(ran.json(), ran.err).toMatchObject({ ok: true, state: "completed" });
    expect(readFileSync(join(repo.dir, "src/add.js"), "utf8")).toContain("a + b");
    const { runId, crew } = ran.json<{ runId: string; crew: { role: string; assignment: string }[] }>();
    const providers = crew.map(({ role, assignment }) => [role, assignment.split(":")[0]]);
    expect(Object.fromEntries(providers)).toMatchObject(
      Object.fromEntries(Object.entries(roles).map(([role, agent]) => [role, agent.split(":")[0]])),
    );
    const { events } = on(["logs", runId, "--json"], bothKeys).json<Answered>();
    const answered = events.flatMap(({ event }) => (event.type === "agent_response" ? [event.role] : []));
    expect(answered).toEqual(["planner", "orchestrator", "implementer", "qa", "verifier"]);
  });
});
