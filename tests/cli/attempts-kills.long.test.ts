// Several attempts, one of which is killed in the middle of its work, and two approvals at once: the order stays by facts, the
// work of nobody is lost, and one attempt is taken.
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { processesOf } from "../support/processes-of.ts";
import { openTestDesk, stub, type Desk } from "./program.ts";

const fixed = { op: "replace", path: "src/add.js", find: "a - b", with: "a + b" };
const longer = { op: "append", path: "src/add.js", text: "// one\n// two\n" };
const changed = { payload: { changedFiles: ["src/add.js"] } };
const reviewers = ["orchestrator", "planner", "qa", "verifier", "critic"].flatMap((role) => [`--${role}`, "stub:b"]);
const script = (restMs: number) => ({
  models: {
    a: { implementer: [{ edits: [fixed, longer], ...changed }] },
    // Killed in its rest, it is asked again and works on what it had written.
    c: {
      implementer: [
        { edits: [fixed], ...changed, restMs },
        { edits: [], ...changed },
      ],
    },
  },
});

interface Row {
  readonly runId: string;
  readonly agent: string;
  readonly standing: string;
  readonly facts: { readonly added: number } | null;
}

const rowsOf = (desk: Desk) => desk.thehood(["attempts", "--json"]).json<{ rows: readonly Row[] }>().rows;

async function until<T>(look: () => T | undefined): Promise<T> {
  for (;;) {
    const seen = look();
    if (seen !== undefined) return seen;
    await sleep(300);
  }
}

const begin = (desk: Desk, restMs: number) =>
  desk.thehood([
    "run",
    "fix add",
    ...reviewers,
    ...stub(script(restMs)),
    "--approvals",
    "autopilot",
    "--teams",
    "stub:a,stub:c",
    "--detach",
    "--json",
  ]);

const answerDoubts = (desk: Desk, runId: string) => {
  const { gate } = desk.thehood(["status", runId, "--json"]).json<{ gate: { kind: string } | null }>();
  if (gate?.kind === "provider_in_doubt") desk.thehood(["approve", runId, "--retry", "--json"]);
};

it.skipIf(process.platform !== "linux")(
  "an attempt that is killed at work is named, goes on with continue, and takes its place by facts",
  { timeout: 300_000 },
  async () => {
    const desk = openTestDesk();
    expect(begin(desk, 600_000).code).toBe(0);
    const ready = await until(() => rowsOf(desk).find(({ standing }) => standing === "ready"));
    expect(ready.agent).toBe("stub:a");
    const other = rowsOf(desk).find(({ agent }) => agent === "stub:c")?.runId ?? "";
    const [first = 0] = await until(() => {
      const { monitor } = desk.thehood(["status", other, "--json"]).json<{ monitor: { doing: string } }>();
      const found = processesOf(other);
      return monitor.doing.includes("as implementer") && found.length > 0 ? found : undefined;
    });
    process.kill(-first, "SIGKILL");
    await until(() => (processesOf(other).length === 0 ? true : undefined));
    expect(rowsOf(desk).map(({ agent }) => agent)).toEqual(["stub:a", "stub:c"]);
    const early = desk.thehood(["approve", ready.runId, "--message", "apply isolated patch"]);
    expect(early.err).toContain(`thehood abort ${other}`);
    desk.thehood(["continue", other, "--json"]);
    answerDoubts(desk, other);
    const rows = rowsOf(desk);
    expect(rows.map(({ agent, standing, facts }) => [agent, standing, facts?.added])).toEqual([
      ["stub:c", "ready", 1],
      ["stub:a", "ready", 3],
    ]);
    expect(desk.repo.git("status", "--porcelain")).toBe("");
    expect(desk.thehood(["log", "verify"]).code).toBe(0);
  },
);

it("of two attempts that are approved at once one is taken", { timeout: 300_000 }, async () => {
  const desk = openTestDesk();
  begin(desk, 0);
  const ready = await until(() => {
    const rows = rowsOf(desk);
    return rows.every(({ standing }) => standing === "ready") ? rows : undefined;
  });
  const approvals = ready.map(({ runId }) => {
    const shown = desk.thehood(["show", runId, "--json"]).json<{ gates: { subject: { sha256: string } }[] }>();
    const hash = shown.gates[0]?.subject.sha256 ?? "";
    return ["approve", runId, "--message", "apply isolated patch", "--shown", hash, "--json"];
  });
  await Promise.all(approvals.map((args) => new Promise((resolve) => desk.spawn(args).once("close", resolve))));
  const after = rowsOf(desk);
  expect(after.map(({ standing }) => standing).sort()).toEqual(["ended", "taken"]);
  const taken = after.find(({ standing }) => standing === "taken");
  const lines = taken?.agent === "stub:a" ? "3 insertions(+)" : "1 insertion(+)";
  expect(desk.repo.git("diff", "--stat")).toContain(lines);
});
