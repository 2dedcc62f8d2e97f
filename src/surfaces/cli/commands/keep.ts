// Commands about what must not be lost or altered: the log, and work that was pinned before it was removed.
import { exitCodes, fail } from "../../../contract/index.ts";
import type { CommandBody } from "../spec.ts";
import { createStyle } from "../style.ts";

export const verifyLog: CommandBody = {
  async run(call) {
    await using desk = await call.given.runs(call.repo);
    const id = call.words["run"];
    const report = await desk.verify(id === undefined ? undefined : await desk.find(id));
    const style = createStyle(call.io.color);
    if (call.json)
      call.io.out(`${JSON.stringify({ schemaVersion: 1, ok: report.problems.length === 0, ...report })}\n`);
    else if (report.problems.length === 0)
      call.io.out(
        `${style.green("✔")} ${report.runs} runs, ${report.events} events, ${report.artifacts} artifacts: nothing was altered\n`,
      );
    else {
      call.io.out(`${style.red("✘")} ${report.problems.length} problems\n`);
      for (const problem of report.problems)
        call.io.out(
          `  ${problem.runId ?? ""}${problem.seq === undefined ? "" : ` event ${problem.seq}`}: ${problem.problem}\n`,
        );
    }
    return report.problems.length === 0 ? exitCodes.ok : exitCodes.verificationFailed;
  },
};

export const prune: CommandBody = {
  async run(call) {
    await using desk = await call.given.runs(call.repo);
    const swept = await desk.sweep();
    const kept = await desk.kept();
    const wanted = call.flags.texts("drop");
    const style = createStyle(call.io.color);
    if (!call.quiet) {
      for (const path of swept.removed) call.io.err(`· removed the worktree ${path}; its work is pinned\n`);
      for (const { path, reason } of swept.left) call.io.err(`· left ${path}: ${reason}\n`);
    }
    if (wanted.length === 0) {
      if (call.json) call.io.out(`${JSON.stringify({ schemaVersion: 1, ok: true, kept, swept })}\n`);
      else if (kept.length === 0) call.io.out("Nothing is kept.\n");
      else
        call.io.out(
          `${kept.map((entry) => `${entry.ref}  ${style.dim(new Date(entry.at).toISOString().slice(0, 16))}  ${entry.subject}\n`).join("")}Look: git show REF. Drop one: thehood prune --drop REF; drop all: thehood prune --drop all\n`,
        );
      return exitCodes.ok;
    }
    const refs = wanted.includes("all") ? kept.map(({ ref }) => ref) : [...wanted];
    const unknown = refs.filter((ref) => !kept.some((entry) => entry.ref === ref));
    if (unknown.length > 0)
      fail("not_found", `Nothing is kept under ${unknown.join(", ")}.`, {
        remedy: "List what is kept: thehood prune",
      });
    const dropped = await desk.drop(refs);
    call.io.out(
      call.json
        ? `${JSON.stringify({ schemaVersion: 1, ok: true, dropped })}\n`
        : `dropped ${dropped.length}\n`,
    );
    return exitCodes.ok;
  },
};
