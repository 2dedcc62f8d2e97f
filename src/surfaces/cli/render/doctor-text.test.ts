import { describe, expect, it } from "vitest";
import type { DoctorReport } from "../../../operations/index.ts";
import { plainText } from "../../../core/contract/index.ts";
import { textOf } from "../../terminal/print/index.ts";
import { doctorLines } from "./doctor-text.ts";

type Agent = DoctorReport["agents"][number];

const agent = (id: string, more: Partial<Agent> = {}): Agent => ({
  id,
  program: true,
  usable: "no",
  installed: false,
  version: null,
  where: null,
  login: "unknown",
  sandbox: null,
  models: [],
  problem: null,
  remedy: `Install ${id}: npm install -g ${id}; or tell where it is`,
  ...more,
});

const check = (name: string, more: Partial<DoctorReport["checks"][number]> = {}) =>
  ({ name, state: "ok", detail: "", remedy: null, ...more }) as const;

const report = (more: Partial<DoctorReport> = {}): DoctorReport => ({
  version: "0.1.0",
  node: "24",
  repo: "/r",
  agents: [agent("codex-cli"), agent("claude-code"), agent("gemini-cli"), agent("opencode")],
  checks: [
    check("crew", { state: "blocker", detail: "No agent …" }),
    check("git"),
    check("npm:test", { result: "unknown" }),
    check("npm:lint", { result: "passed", ms: 900 }),
  ],
  ...more,
});

const rowsOf = (given: DoctorReport) => plainText(textOf(doctorLines(given), false)).split("\n");

describe("[B-32] doctor", () => {
  it("begins with the verdict and one command, and has at most ten rows", () => {
    const noise = Array.from({ length: 20 }, (_, at) => check(`thing ${at}`, { state: "warning", detail: "odd" }));
    const rows = rowsOf(report({ checks: [...report().checks, ...noise] }));
    expect(rows.length).toBeLessThanOrEqual(10);
    expect(rows[0]).toBe("✘ Not ready: no agent is installed.  → npm install -g codex-cli");
    expect(rows.at(-1)).toMatch(/^ {2}\d+ more and everything: thehood doctor --verbose$/);
  });

  it("names an installed agent without a login before one that is not installed", () => {
    const remedy = "Log in with: claude auth login; or set ANTHROPIC_API_KEY.";
    const claude = agent("claude-code", { installed: true, login: "missing", remedy });
    const [first, , agents] = rowsOf(report({ agents: [agent("codex-cli"), claude] }));
    expect(first).toBe("✘ Not ready: claude-code is installed, but not logged in.  → claude auth login");
    expect(agents).toContain("codex-cli –   claude-code not logged in");
  });

  it("marks a check that never ran with a question, and says ready where nothing is in the way", () => {
    const ready = report({
      agents: [agent("codex-cli", { usable: "yes", installed: true, login: "present" })],
      checks: report().checks.slice(1),
    });
    const rows = rowsOf(ready);
    expect(rows[0]).toContain("✔ Ready.");
    expect(rows.join("\n")).toContain("npm:test ? never run   npm:lint ✔ 0.9 s   thehood checks test");
    expect(rows.join("\n")).toContain("codex-cli ✔ login found");
  });
});
