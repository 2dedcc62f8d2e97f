// Decisions about the work of a run: end it, check it again, undo, commit or take it.
import { define } from "../context/index.ts";
import { text, withDefault, optional } from "../define/index.ts";
import { keepSecrets, latestRun } from "../run-data/fields.ts";
import { statusOutput } from "../run-data/output.ts";
import { undoToo } from "./answer.ts";
import { exitOf } from "../run-data/exit.ts";
import { exitCodes, fail } from "../../core/contract/index.ts";
import { patchFields } from "../check/fields.ts";
import { patchExit } from "../check/patch.ts";

/** A process that advances the run sees the abort at its next beat, ends what it began, and lets go. */
const stopsWithinMs = 30_000;

export const abort = define({
  name: "abort",
  group: "Decide",
  summary: "End a run; its work is kept",
  examples: ['thehood abort run_0mwh --reason "not needed any more"'],
  effect: "moves",
  input: {
    runId: latestRun,
    reason: withDefault(text("why", { max: 4_000, mcp: { about: "Why; kept in the record." } }), ""),
    undo: undoToo,
    keepSecrets,
  },
  async handle({ runId, reason, undo }, context) {
    const { runStatusOf } = await import("../run-data/snapshot.ts");
    await using runs = await context.ports.runs(context.folder);
    const id = await runs.find(runId);
    await runs.submit(id, { type: "abort", reason, by: context.actor });
    const from = (await runs.status(id)).counts.events;
    // The loop retires the workspace, so that the work is pinned and nothing is left behind.
    const stop = await context.advance(runs, id, { from, waitMs: stopsWithinMs, waitSeconds: 10 });
    if (undo) await (await import("../run-data/undo.ts")).takeOutToo(context, runs, id);
    return runStatusOf(runs, id, stop);
  },
  cli: { main: true, args: ["runId"] },
  mcp: {
    tool: "thehood_abort",
    main: true,
    title: "Abort a run",
    description: "End a run for good; its work is kept under a ref.",
    output: statusOutput,
    annotations: { destructiveHint: true, idempotentHint: false, openWorldHint: false },
    present: async (standing) => (await import("../run-data/for-program.ts")).hostStatus(standing),
  },
});

export const recheck = define({
  name: "recheck",
  group: "Decide",
  summary: "Run the checks of a run again, without calling an agent",
  more: "For a run that waits for you because a check could not run, timed out or failed: mend the reason (install the program, start the service), then run the checks again. The question of the run is asked anew with the new results.",
  examples: ["thehood recheck", "npm install && thehood recheck run_0mwh"],
  effect: "moves",
  input: { runId: latestRun },
  async handle({ runId }, context) {
    const { runStatusOf } = await import("../run-data/snapshot.ts");
    await using runs = await context.ports.runs(context.folder);
    const id = await runs.find(runId);
    const from = (await runs.status(id)).counts.events;
    await runs.submit(id, { type: "recheck", by: context.actor });
    const stop = await context.advance(runs, id, { from, until: "validation_evidence_captured" });
    return runStatusOf(runs, id, stop, "beside");
  },
  cli: { args: ["runId"], exit: exitOf },
});

export const undo = define({
  name: "undo",
  group: "Decide",
  summary: "Remove the work of a run from the checkout; your edits stay",
  more: "The checkout is kept under a ref first. Edits that you made since stay, also in the same files; where they stand on the very lines of the work nothing is changed. A commit that holds the work stays in the history: what is taken out is then a change for you to commit.",
  examples: ["thehood undo run_0mwh"],
  effect: "decides",
  input: { runId: latestRun },
  async handle({ runId }, context) {
    const { undoWork } = await import("../run-data/undo.ts");
    await using runs = await context.ports.runs(context.folder);
    return undoWork(context, runs, await runs.find(runId));
  },
  cli: { main: true, args: ["runId"] },
});

export const commit = define({
  name: "commit",
  group: "Decide",
  summary: "Commit the work of a completed run, with signed evidence",
  more: "The commit holds exactly the verified change. The evidence is in refs/thehood/evidence; push it with: git push origin refs/thehood/evidence",
  examples: ["thehood commit", "thehood commit run_0mwh --branch fix/rounding"],
  effect: "decides",
  input: {
    runId: optional(text("the run (default: the newest)", { cli: { name: "run" } })),
    branch: optional(
      text("commit on this new branch; your own branch does not move", { min: 1, max: 200, cli: { value: "name" } }),
    ),
  },
  async handle({ runId, branch }, { ports, folder }) {
    await using runs = await ports.runs(folder);
    return runs.commit(await runs.find(runId), branch);
  },
  cli: { args: ["runId"] },
});

export const keepTests = define({
  name: "keep-tests",
  group: "Decide",
  summary: "Write the blind tests of a completed run into the checkout, as new files of yours",
  more: "Blind tests are written by an agent that does not see the work (thehood run --careful). They are never part of the work. A file that is there is not replaced.",
  examples: ["thehood keep-tests run_0mwh"],
  effect: "decides",
  input: { runId: latestRun },
  async handle({ runId }, context) {
    const { keepTestsOf } = await import("../run-data/keep-tests.ts");
    await using runs = await context.ports.runs(context.folder);
    return keepTestsOf(context, runs, await runs.find(runId));
  },
  cli: { args: ["runId"] },
});

export const take = define({
  name: "take",
  group: "Connect",
  summary: "Apply the work of a run that a worker completed to this checkout, all or nothing",
  more: "It is `thehood diff RUN` through `thehood patch apply`: judged by the same rules, refused where your own edits are in its way, asked about where it needs you.",
  examples: ["thehood take run_0mwh"],
  effect: "decides",
  input: { runId: latestRun, ...patchFields },
  async handle({ runId, ...options }, { ports, folder }) {
    await using runs = await ports.runs(folder);
    const id = await runs.find(runId);
    const { state } = await runs.status(id);
    if (state !== "completed")
      fail("illegal_transition", `Run ${id} is not completed; it is ${state}.`, {
        remedy: "Only verified work is taken over",
        suggestions: [{ suggest: "status", runId: id }],
      });
    const { changeOf } = await import("../run-data/change.ts");
    const { bytes } = await changeOf(runs, id);
    return ports.applyPatch(bytes, { ...options, repo: folder });
  },
  cli: {
    args: ["runId"],
    exit: ({ applied, verdict }) => (applied ? exitCodes.ok : patchExit(verdict) || exitCodes.failure),
  },
});
