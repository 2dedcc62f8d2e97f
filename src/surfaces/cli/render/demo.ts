// The demo as a person watches it: its story in a few lines, and the one patch for them to decide on; with --full every gate
// is laid open and the whole report is printed.
import type { Gate } from "../../../core/contract/index.ts";
import { type Demo, reportText } from "../../../operations/run-data/index.ts";
import { createStory, type StoryLines, stageBar, textOf } from "../../terminal/print/index.ts";
import { gateTexts } from "./gate-text.ts";
import { renders, watchedOn, type HoodView } from "./view.ts";

/** With --json everything but the document goes to stderr. */
function sayOf({ io, json, quiet }: HoodView) {
  return (text: string): void => {
    if (json && !quiet) io.err(`${text}\n`);
    else if (!quiet) io.out(`${text}\n`);
  };
}

interface Telling {
  readonly demo: Demo;
  readonly view: HoodView;
  readonly story: StoryLines;
  /** The last event that was printed. */
  printed: number;
}

/** Tells what happened since the last time. */
async function tell(telling: Telling, runId: string): Promise<void> {
  const { demo, view } = telling;
  await using runs = await view.context.ports.runs(demo.repo);
  for (const stored of await runs.events(runId, telling.printed + 1)) {
    const lines = telling.story.lines(stored, Math.max(60, view.io.columns));
    if (lines.length > 0) sayOf(view)(textOf(lines, view.io.color && !view.json));
    telling.printed = stored.seq;
  }
}

/** The patch is the person's to decide, where one sits at a terminal. */
async function askPerson({ demo, view }: Telling, runId: string, gate: Gate): Promise<void> {
  const device = watchedOn(view);
  if (!device || !gate.subject.refs.some(({ kind }) => kind === "diff")) return;
  const { askAtGate } = await import("../../terminal/progress/index.ts");
  const context = Object.create(view.context, { folder: { value: demo.repo } }) as HoodView["context"];
  const opening = { device: await device(), color: view.io.color, context, spell: view.spell };
  const asked = await askAtGate(opening, runId);
  demo.stopped = asked?.answer === null;
}

async function watchGates(demo: Demo, view: HoodView): Promise<void> {
  const { style } = view;
  const say = sayOf(view);
  say(`${style.bold("A sample repository with a real bug")}: ${demo.repo}`);
  say(style.dim("Scripted agents play every role; git, the sandbox, the tests and the record are real."));
  const telling: Telling = { demo, view, story: createStory(), printed: 0 };
  let runId: string | undefined;
  for await (const { runId: id, gate } of demo.gates) {
    runId = id;
    if (!demo.full) {
      await tell(telling, id);
      await askPerson(telling, id, gate);
      continue;
    }
    say(`\n${(await gateTexts(id, view, demo.repo)).map(({ text }) => text).join("\n\n")}`);
    say(style.green(`  the demo's operator approves${gate.phrase ? `: "${gate.phrase}"` : ""}\n`));
  }
  if (runId !== undefined && !demo.full) await tell(telling, runId);
}

async function lookFurther({ repo, end, full }: Demo, view: HoodView): Promise<void> {
  const { style } = view;
  const say = sayOf(view);
  const command = (words: string) => style.cyan(`thehood ${words} --repo ${repo}`);
  say(`\n${style.bold("Look further")}`);
  say(`  ${command("top")}   on this screen`);
  say(`  ${command("web")}   in the browser`);
  if (full)
    for (const name of ["status", "show", "logs", "diff", "report", "log verify"])
      say(`  ${command(`${name} ${end?.runId}`)}`);
  else say(`  ${style.cyan("thehood demo --full")}   the same with every line, every gate and the whole report`);
  say(
    `${style.dim("In a clone without an installed thehood, write")} npm start -- ${style.dim("instead of")} thehood${style.dim(". Then, in your own repository:")} thehood run "what you want done"`,
  );
}

export const demo = renders<Demo>({
  async json(result, view) {
    await watchGates(result, view);
    const { end } = result;
    return { ok: end?.status.state === "completed", repo: result.repo, ...end?.status };
  },
  async print(result, view) {
    await watchGates(result, view);
    const { context, io } = view;
    const { end, repo, full } = result;
    if (!end) return;
    await using runs = await context.ports.runs(repo);
    if (full) io.out(`\n${await reportText(runs, end.runId)}`);
    else io.out(`${textOf([stageBar(await runs.full(end.runId))], io.color)}\n`);
    await lookFurther(result, view);
  },
});
