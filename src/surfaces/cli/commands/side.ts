// Commands that ask something beside the loop of a run. They move nothing and satisfy nothing.
import { promises } from "node:fs";
import { exitCodes, fail, type UserCommand } from "../../../contract/index.ts";
import type { LoopEnd, RunDesk } from "../../../operations/index.ts";
import { askedAfter, sideResults, toSummon, workOffBeside } from "../../../operations/runs/index.ts";
import type { Call, CommandBody } from "../spec.ts";
import { createStyle } from "../style.ts";
import { answerText } from "./answer-text.ts";
import { person } from "./decide.ts";
import { exitOf } from "./exit.ts";
import { printEnd } from "./finish.ts";
import { showProgress } from "./progress.ts";

async function workOff(call: Call, desk: RunDesk, runId: string, from: number): Promise<LoopEnd> {
  using progress = showProgress(call);
  return await workOffBeside(desk, runId, from, {
    signal: call.signal,
    watcher: progress.watcher,
    busy: (message) => (call.quiet ? undefined : call.io.err(`· ${message} It does this too.\n`)),
  });
}

function resultText(
  call: Call,
  desk: RunDesk,
  runId: string,
  { outcome, why, artifact }: ReturnType<typeof sideResults>[number],
): string {
  const style = createStyle(call.io.color);
  const answer = artifact === null ? "" : answerText(desk, runId, artifact, style);
  const whole =
    artifact === null ? "" : `\n${style.dim(`whole: thehood artifact ${runId} ${artifact.slice(7, 19)}`)}`;
  return `${style.bold(outcome)}: ${answer === "" ? why : answer}${whole}\n`;
}

/** Submits, lets the engine work it off, and prints what came of it. */
async function ask(
  call: Call,
  command: (desk: RunDesk, runId: string) => Promise<UserCommand>,
): Promise<number> {
  await using desk = await call.given.desk(call.repo);
  const runId = desk.find(call.words["run"]);
  const from = desk.status(runId).counts.events;
  await desk.submit(runId, await command(desk, runId));
  const end = await workOff(call, desk, runId, from);
  const results = sideResults(desk, runId, from);
  if (desk.gates(runId).some(({ lane }) => lane === "side")) {
    printEnd(call, desk, end);
    return exitOf(end);
  }
  if (call.json)
    call.io.out(
      `${JSON.stringify({ schemaVersion: 1, ok: results.every(({ outcome }) => outcome === "completed"), runId, results })}\n`,
    );
  else for (const result of results) call.io.out(resultText(call, desk, runId, result));
  return results.every(({ outcome }) => outcome === "completed") ? exitCodes.ok : exitCodes.failure;
}

export const summon: CommandBody = {
  run: (call) =>
    ask(call, async (desk) => ({
      type: "summon",
      by: person,
      request: await toSummon(desk, {
        role:
          call.flags.text("role") ??
          fail("invalid_input", "Nobody was named.", {
            remedy: "Add --role critic (or qa, verifier, researcher, planner, orchestrator).",
          }),
        brief:
          call.flags.text("brief") ??
          fail("invalid_input", "Nothing was asked.", { remedy: 'Add --brief "what you want to know".' }),
        kind: call.flags.text("kind") ?? "review",
        persona: call.flags.text("persona") ?? null,
        constraints: call.flags.texts("constraint"),
        evidenceRefs: call.flags.texts("evidence"),
        ...(call.flags.text("agent") === undefined ? {} : { agent: call.flags.text("agent") }),
      }),
    })),
};

export const fanout: CommandBody = {
  run: (call) =>
    ask(call, async (desk) => {
      const given =
        call.flags.text("items") ??
        fail("invalid_input", "No items were given.", {
          remedy: `Add --items '[{"role":"critic","brief":"…"}]', or --items @file.json.`,
        });
      let items: unknown;
      try {
        items = JSON.parse(given.startsWith("@") ? await promises.readFile(given.slice(1), "utf8") : given);
      } catch (error) {
        fail(
          "invalid_input",
          `--items cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
          { remedy: `Give a list: '[{"role":"critic","brief":"…"}]', or --items @file.json.` },
        );
      }
      if (!Array.isArray(items) || items.length < 1 || items.length > 8)
        fail("invalid_input", "A fan-out has one to eight items.", {
          remedy: "Give a JSON list of that length.",
        });
      return {
        type: "fanout",
        by: person,
        items: await Promise.all(items.map((entry) => toSummon(desk, entry))),
      };
    }),
};

export const reconcile: CommandBody = {
  run: (call) =>
    ask(call, async () => ({
      type: "reconcile",
      by: person,
      role: (call.flags.text("role") ?? null) as "planner" | "orchestrator" | null,
    })),
};

export const evidence: CommandBody = {
  run: (call) => ask(call, async () => ({ type: "capture_evidence", by: person })),
};

/** It waits for its own yes, or behind something that does, or its job ended before it could run. */
function notRun(call: Call, desk: RunDesk, end: LoopEnd, from: number): number {
  const [ended] = sideResults(desk, end.runId, from);
  if (ended)
    fail("conflict", `The command was not run: ${ended.why}`, {
      remedy: `Look at what happened: thehood logs ${end.runId}`,
    });
  const ours = askedAfter(desk, end.runId, from).map(({ id }) => id);
  const before = desk.gates(end.runId).find(({ lane }) => lane === "side");
  if (before && !ours.includes(before.sideId ?? ""))
    call.io.err(`· It was noted, and waits until the gate before it is answered: ${before.title}\n`);
  printEnd(call, desk, end);
  return exitOf(end);
}

export const exec: CommandBody = {
  async run(call) {
    await using desk = await call.given.desk(call.repo);
    const [program, ...args] = call.rest;
    if (program === undefined || program === "")
      fail("invalid_input", "No command was given.", { remedy: "thehood exec RUN -- npm test" });
    const runId = desk.find(call.words["run"]);
    const from = desk.status(runId).counts.events;
    await desk.submit(runId, {
      type: "exec",
      argv: [program, ...args],
      cwd: call.flags.text("cwd") ?? "",
      allowRisky: call.flags.on("allow-risky"),
      by: person,
    });
    const end = await workOff(call, desk, runId, from);
    const ids = new Set(askedAfter(desk, runId, from).map(({ id }) => id));
    const ran = desk
      .events(runId, from + 1)
      .find(({ event }) => event.type === "command_executed" && ids.has(event.sideId ?? ""));
    if (ran?.event.type !== "command_executed") return notRun(call, desk, end, from);
    const { command } = ran.event;
    const text = (ref: { ref: string } | null) =>
      ref ? desk.artifact(runId, ref.ref).bytes : new Uint8Array();
    if (call.json)
      call.io.out(`${JSON.stringify({ schemaVersion: 1, ok: command.exitCode === 0, runId, ...command })}\n`);
    else {
      call.io.bytes(text(command.stdout));
      call.io.err(new TextDecoder().decode(text(command.stderr)));
    }
    return command.exitCode === 0 ? exitCodes.ok : exitCodes.failure;
  },
};
