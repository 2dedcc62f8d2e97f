// The demo: a whole governed run on a sample repository with a real bug, the stub in every role, and you as the operator.
import { answerGate, parseInput, startRun } from "../../../operations/runs/index.ts";
import type { Call, CommandBody } from "../spec.ts";
import { createStyle } from "../style.ts";
import { person } from "./decide.ts";
import { exitOf } from "./exit.ts";
import { gateDetail } from "./gate-detail.ts";
import { reportText } from "./finish.ts";
import { showProgress } from "./progress.ts";
import { gateText } from "./run-text.ts";

const crew = {
  orchestrator: "stub:orchestrator",
  planner: "stub:planner",
  implementer: "stub:implementer",
  qa: "stub:qa",
  verifier: "stub:verifier",
  critic: "stub:critic",
};

export const demo: CommandBody = {
  async run(call) {
    const { io } = call;
    const style = createStyle(io.color);
    const say = (text: string) => {
      if (call.json && !call.quiet) io.err(`${text}\n`);
      else if (!call.quiet) io.out(`${text}\n`);
    };
    const sample = await call.given.setup.demo(call.flags.text("dir"));
    say(`${style.bold("A sample repository with a real bug")}: ${sample.repo}`);
    say(
      style.dim(
        "The stub provider plays every role from a script; git, the sandbox, the tests and the record are real.\n",
      ),
    );
    await using desk = await call.given.runs(sample.repo);
    const runId = await desk.start(
      parseInput(startRun, { goal: sample.goal, roles: crew, stubScript: sample.script }, "The demo"),
    );
    const code = await drive(call, desk, runId, say);
    if (call.json)
      io.out(call.jsonLine({ ok: code === 0, repo: sample.repo, ...(await desk.status(runId)) }));
    else {
      io.out(`\n${await reportText(desk, runId, style)}`);
      say(`\n${style.bold("Look further")}`);
      for (const command of ["status", "show", "logs", "diff", "report", "log verify"])
        say(`  ${style.cyan(`thehood ${command} ${runId} --repo ${sample.repo}`)}`);
      say(
        `${style.dim("In a clone without an installed thehood, write")} npm start -- ${style.dim("instead of")} thehood${style.dim(". Then, in your own repository:")} thehood run "what you want done"`,
      );
    }
    return code;
  },
};

/** Loops; at each gate shows what is asked and answers as the demo's operator. */
async function drive(
  call: Call,
  desk: Awaited<ReturnType<Call["given"]["runs"]>>,
  runId: string,
  say: (text: string) => void,
): Promise<number> {
  const style = createStyle(call.io.color);
  for (let gates = 0; gates < 20; gates += 1) {
    using progress = showProgress(call);
    const end = await desk.loop(runId, { signal: call.signal, watcher: progress.watcher });
    progress[Symbol.dispose]();
    const [gate] = await desk.gates(runId);
    if (end.stop !== "approval_required" || !gate) return exitOf(end);
    say(`\n${gateText(gate, style, await gateDetail(desk, runId, style, gate))}`);
    const message = gate.phrase ?? "";
    say(style.green(`  the demo's operator approves${message ? `: "${message}"` : ""}\n`));
    await answerGate(desk, runId, {
      answer: gate.answers[0] ?? "approve",
      message,
      by: { ...person, name: "demo" },
      gate: gate.id,
    });
  }
  return 1;
}
