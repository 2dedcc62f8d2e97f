// The demo as a person watches it: each gate laid open, the report, and the commands to look further.
import { type Demo, reportText } from "../../../operations/runs/index.ts";
import { gateDetail } from "./gate-detail.ts";
import { gateText } from "./run-text.ts";
import { renders, type HoodView } from "./view.ts";

/** With --json everything but the document goes to stderr. */
function sayOf({ io, json, quiet }: HoodView) {
  return (text: string): void => {
    if (json && !quiet) io.err(`${text}\n`);
    else if (!quiet) io.out(`${text}\n`);
  };
}

async function watchGates(demo: Demo, view: HoodView): Promise<void> {
  const { style, context } = view;
  const say = sayOf(view);
  say(`${style.bold("A sample repository with a real bug")}: ${demo.repo}`);
  say(
    style.dim(
      "The stub provider plays every role from a script; git, the sandbox, the tests and the record are real.\n",
    ),
  );
  await using runs = await context.ports.runs(demo.repo);
  for await (const { runId, gate } of demo.gates) {
    say(`\n${gateText(gate, style, await gateDetail(runs, runId, style, gate))}`);
    const words = gate.phrase ? `: "${gate.phrase}"` : "";
    say(style.green(`  the demo's operator approves${words}\n`));
  }
}

export const demo = renders<Demo>({
  async json(result, view) {
    await watchGates(result, view);
    const { end } = result;
    return { ok: end?.status.state === "completed", repo: result.repo, ...end?.status };
  },
  async print(result, view) {
    await watchGates(result, view);
    const { style, context, io } = view;
    const runId = result.end?.runId;
    if (runId === undefined) return;
    const say = sayOf(view);
    await using runs = await context.ports.runs(result.repo);
    io.out(`\n${await reportText(runs, runId)}`);
    say(`\n${style.bold("Look further")}`);
    for (const command of ["status", "show", "logs", "diff", "report", "log verify"])
      say(`  ${style.cyan(`thehood ${command} ${runId} --repo ${result.repo}`)}`);
    say(
      `${style.dim("In a clone without an installed thehood, write")} npm start -- ${style.dim("instead of")} thehood${style.dim(". Then, in your own repository:")} thehood run "what you want done"`,
    );
  },
});
