// Commands by which a person decides. They answer exactly one gate, and then let the run go on.
import { exitCodes, type Actor, type GateAnswer } from "../../../contract/index.ts";
import { answerGate } from "../../../operations/runs/index.ts";
import { positiveNumber, wholeNumber } from "../numbers.ts";
import type { Call, CommandBody } from "../spec.ts";
import { createStyle } from "../style.ts";
import { driveRun } from "./finish.ts";

export const person: Actor = { kind: "person", surface: "cli" };

function decides(answer: (call: Call) => GateAnswer): CommandBody {
  return {
    async run(call) {
      await using desk = await call.given.runs(call.repo);
      const runId = await desk.find(call.words["run"]);
      const extending = call.flags.text("add-tokens") ?? call.flags.text("add-minutes");
      const given = extending === undefined ? answer(call) : "extend";
      const gate = await answerGate(desk, runId, {
        answer: given,
        message: call.flags.text("message") ?? "",
        by: person,
        gate: call.flags.text("gate"),
        addTokens: wholeNumber(call.flags, "add-tokens"),
        addMinutes: positiveNumber(call.flags, "add-minutes"),
      });
      if (!call.quiet)
        call.io.err(`${createStyle(call.io.color && call.io.live).green("✔")} ${gate.title}: ${given}\n`);
      if (!call.flags.on("no-continue"))
        return await driveRun(call, desk, runId, {
          // A word about what was asked beside the loop is none about the loop; another agent in a role is.
          wanted:
            gate.lane === "side" && gate.kind !== "role_switch"
              ? "beside"
              : given === "reject"
                ? "aborted"
                : undefined,
        });
      if (call.json)
        call.io.out(call.jsonLine({ ok: true, stop: "recorded", ...(await desk.status(runId)) }));
      return exitCodes.ok;
    },
  };
}

/** Revise and reject have no budget options; asking for them is asking for nothing. */
const plainDecision = (answer: GateAnswer): CommandBody => ({
  run: (call) =>
    decides(() => answer).run({
      ...call,
      flags: { ...call.flags, text: (name) => (name.startsWith("add-") ? undefined : call.flags.text(name)) },
    }),
});

export const approve = decides((call) =>
  call.flags.on("accept") ? "accept" : call.flags.on("retry") ? "retry" : "approve",
);
export const reject = plainDecision("reject");
export const revise = plainDecision("revise");

const stopsWithinMs = 30_000;

export const abort: CommandBody = {
  async run(call) {
    await using desk = await call.given.runs(call.repo);
    const runId = await desk.find(call.words["run"]);
    await desk.submit(runId, { type: "abort", reason: call.flags.text("reason") ?? "", by: person });
    // The loop retires the workspace, so that the work is pinned and nothing is left behind. A process that advances the
    // run sees the abort at its next beat, ends what it began, and lets go.
    await desk.loop(runId, { signal: call.signal, waitMs: stopsWithinMs });
    const status = await desk.status(runId);
    call.io.out(
      call.json
        ? call.jsonLine({ ok: true, ...status })
        : status.state === "aborted"
          ? `aborted ${runId}; its work is kept: thehood diff ${runId}\n`
          : `stopped what stood beside ${runId}, which stays ${status.state}\n`,
    );
    return exitCodes.ok;
  },
};
