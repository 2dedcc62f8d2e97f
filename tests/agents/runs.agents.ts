// Full governed runs through the real `thehood` program with the real Codex and Claude Code in the roles: a real edit, a
// revision round, integration. Everything happens in a network namespace where nothing but loopback can be reached.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { alone, openAgentDesk } from "./governed.ts";
import { missing, titled } from "./installed.ts";
import type { Play } from "./models/index.ts";

const where = alone ? "in an empty network namespace" : "without a network namespace: it cannot be had here";

/** The worker first gets it wrong; the verifier sends it back; then it gets it right. */
const twoRounds: Play = {
  roles: {
    implementer: [
      {
        actions: [
          {
            do: "replace",
            path: "src/add.js",
            from: "export const add = (a, b) => a - b;",
            to: "export const add = (a, b) => a * b;",
          },
        ],
        answer: { payload: { changedFiles: ["src/add.js"] } },
      },
      {
        actions: [
          {
            do: "replace",
            path: "src/add.js",
            from: "export const add = (a, b) => a * b;",
            to: "export const add = (a, b) => a + b;",
          },
          { do: "shell", line: "node --test" },
        ],
        answer: { payload: { changedFiles: ["src/add.js"], commandsRun: ["node --test"] } },
      },
    ],
  },
};

const crews = [
  {
    worker: "codex-cli:gpt-5.5",
    others: "claude-code:sonnet",
    workerWire: "responses",
    otherWire: "messages",
  },
  {
    worker: "claude-code:sonnet",
    others: "codex-cli:gpt-5.5",
    workerWire: "messages",
    otherWire: "responses",
  },
] as const;

describe.skipIf(missing("codex", "claude"))(
  titled("governed runs with real agents", "codex", "claude"),
  () => {
    it.each(crews)(
      `[R-5] [R-26] [R-30] $worker works and $others reviews: edit, revision, integration (${where})`,
      async ({ worker, others, workerWire, otherWire }) => {
        const desk = await openAgentDesk(twoRounds);
        const roles = ["planner", "orchestrator", "qa", "verifier", "critic"].flatMap((role) => [
          `--${role}`,
          others,
        ]);
        const ran = await desk.thehood([
          "run",
          "make add() add",
          "--approvals",
          "autopilot",
          "--implementer",
          worker,
          ...roles,
          "--json",
        ]);
        expect(ran.json()).toMatchObject({ state: "completed", ok: true });
        expect(readFileSync(join(desk.repo.dir, "src/add.js"), "utf8")).toContain("a + b");
        const asked = desk.requests().filter(({ role }) => role !== null);
        expect(new Set(asked.filter(({ role }) => role === "implementer").map(({ wire }) => wire))).toEqual(
          new Set([workerWire]),
        );
        expect(new Set(asked.filter(({ role }) => role !== "implementer").map(({ wire }) => wire))).toEqual(
          new Set([otherWire]),
        );
      },
    );
  },
);
