// Commands that ask something beside the loop of a run. They move nothing and satisfy nothing.
import { promises } from "node:fs";
import { exitCodes, fail, type UserCommand } from "../../../contract/index.ts";
import type { LoopEnd, RepositoryRuns } from "../../../operations/index.ts";
import {
  askedAfter,
  sideResults,
  toSummon,
  workOffBeside,
  type SideResult,
} from "../../../operations/runs/index.ts";
import type { Call, CommandBody } from "../spec.ts";
import { createStyle } from "../style.ts";
import { answerText } from "./answer-text.ts";
import { person } from "./decide.ts";
import { exitOf } from "./exit.ts";
import { printEnd } from "./finish.ts";
import { showProgress } from "./progress.ts";

async function workOff(call: Call, desk: RepositoryRuns, runId: string, from: number): Promise<LoopEnd> {
  using progress = showProgress(call);
  return await workOffBeside(desk, runId, from, {
    signal: call.signal,
    watcher: progress.watcher,
    busy: (message) => (call.quiet ? undefined : call.io.err(`· ${message} It does this too.\n`)),
  });
}

async function resultText(
  call: Call,
  desk: RepositoryRuns,
  runId: string,
  { outcome, why, artifact }: SideResult,
): Promise<string> {
  const style = createStyle(call.io.color);
  const answer = artifact === null ? "" : await answerText(desk, runId, artifact, style);
  const whole =
    artifact === null ? "" : `\n${style.dim(`whole: thehood artifact ${runId} ${artifact.slice(7, 19)}`)}`;
  return `${style.bold(outcome)}: ${answer === "" ? why : answer}${whole}\n`;
}

/** Submits, lets the engine work it off, and prints what came of it. */
async function ask(
  call: Call,
  command: (desk: RepositoryRuns, runId: string) => Promise<UserCommand>,
): Promise<number> {
  await using desk = await call.given.runs(call.repo);
  const runId = await desk.find(call.words["run"]);
  const from = (await desk.status(runId)).counts.events;
  await desk.submit(runId, await command(desk, runId));
  const end = await workOff(call, desk, runId, from);
  const results = await sideResults(desk, runId, from);
  if ((await desk.gates(runId)).some(({ lane }) => lane === "side")) {
    await printEnd(call, desk, end);
    return exitOf(end);
  }
  if (call.json)
    call.io.out(
      `${JSON.stringify({ schemaVersion: 1, ok: results.every(({ outcome }) => outcome === "completed"), runId, results })}\n`,
    );
  else for (const result of results) call.io.out(await resultText(call, desk, runId, result));
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
async function notRun(call: Call, desk: RepositoryRuns, end: LoopEnd, from: number): Promise<number> {
  const [ended] = await sideResults(desk, end.runId, from);
  if (ended)
    fail("conflict", `The command was not run: ${ended.why}`, {
      remedy: `Look at what happened: thehood logs ${end.runId}`,
    });
  const ours = (await askedAfter(desk, end.runId, from)).map(({ id }) => id);
  const before = (await desk.gates(end.runId)).find(({ lane }) => lane === "side");
  if (before && !ours.includes(before.sideId ?? ""))
    call.io.err(`· It was noted, and waits until the gate before it is answered: ${before.title}\n`);
  await printEnd(call, desk, end);
  return exitOf(end);
}

export const exec: CommandBody = {
  async run(call) {
    await using desk = await call.given.runs(call.repo);
    const [program, ...args] = call.rest;
    if (program === undefined || program === "")
      fail("invalid_input", "No command was given.", { remedy: "thehood exec RUN -- npm test" });
    const runId = await desk.find(call.words["run"]);
    const from = (await desk.status(runId)).counts.events;
    await desk.submit(runId, {
      type: "exec",
      argv: [program, ...args],
      cwd: call.flags.text("cwd") ?? "",
      allowRisky: call.flags.on("allow-risky"),
      by: person,
    });
    const end = await workOff(call, desk, runId, from);
    const ids = new Set((await askedAfter(desk, runId, from)).map(({ id }) => id));
    const events = await desk.events(runId, from + 1);
    const ran = events.find(({ event }) => event.type === "command_executed" && ids.has(event.sideId ?? ""));
    if (ran?.event.type !== "command_executed") return await notRun(call, desk, end, from);
    const { command } = ran.event;
    const text = async (ref: { ref: string } | null) =>
      ref ? (await desk.artifact(runId, ref.ref)).bytes : new Uint8Array();
    if (call.json)
      call.io.out(`${JSON.stringify({ schemaVersion: 1, ok: command.exitCode === 0, runId, ...command })}\n`);
    else {
      call.io.bytes(await text(command.stdout));
      call.io.err(new TextDecoder().decode(await text(command.stderr)));
    }
    return command.exitCode === 0 ? exitCodes.ok : exitCodes.failure;
  },
};
