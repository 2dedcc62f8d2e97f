// Commands that ask something beside the loop of a run. They move nothing and satisfy nothing.
import { readFile } from "node:fs/promises";
import { exitCodes, fail, type UserCommand } from "../../../contract/index.ts";
import type { RunDesk } from "../../../operations/index.ts";
import { sideResults, toSummon } from "../../../operations/runs/index.ts";
import type { Call, CommandBody } from "../spec.ts";
import { person } from "./decide.ts";
import { exitOf } from "./exit.ts";
import { printEnd } from "./finish.ts";
import { showProgress } from "./progress.ts";

/** Submits, lets the engine work it off, and prints what came of it. */
async function ask(
  call: Call,
  command: (desk: RunDesk, runId: string) => Promise<UserCommand>,
): Promise<number> {
  await using desk = await call.given.desk(call.repo);
  const runId = desk.find(call.words["run"]);
  const from = desk.status(runId).counts.events;
  await desk.submit(runId, await command(desk, runId));
  using progress = showProgress(call);
  const end = await desk.loop(runId, { signal: call.signal, watcher: progress.watcher });
  const results = sideResults(desk, runId, from);
  if (desk.gates(runId).some(({ lane }) => lane === "side")) {
    printEnd(call, desk, end);
    return exitOf(end);
  }
  if (call.json)
    call.io.out(
      `${JSON.stringify({ schemaVersion: 1, ok: results.every(({ outcome }) => outcome === "completed"), runId, results })}\n`,
    );
  else
    for (const result of results)
      call.io.out(
        `${result.outcome}: ${result.why}${result.artifact ? `\n  thehood artifact ${runId} ${result.artifact.slice(7, 19)}` : ""}\n`,
      );
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
        items = JSON.parse(given.startsWith("@") ? await readFile(given.slice(1), "utf8") : given);
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

export const exec: CommandBody = {
  async run(call) {
    await using desk = await call.given.desk(call.repo);
    const [program, ...args] = call.rest;
    if (program === undefined)
      fail("invalid_input", "No command was given.", { remedy: "thehood exec RUN -- npm test" });
    const runId = desk.find(call.words["run"]);
    await desk.submit(runId, {
      type: "exec",
      argv: [program, ...args],
      cwd: call.flags.text("cwd") ?? "",
      allowRisky: call.flags.on("allow-risky"),
      by: person,
    });
    const from = desk.status(runId).counts.events;
    const end = await desk.loop(runId, { signal: call.signal });
    const ran = desk
      .events(runId, Math.max(1, from - 2))
      .findLast(({ event }) => event.type === "command_executed");
    if (ran?.event.type !== "command_executed") {
      printEnd(call, desk, end);
      return exitOf(end);
    }
    const { command } = ran.event;
    const text = (ref: { ref: string } | null) =>
      ref ? desk.artifact(runId, ref.ref).bytes : new Uint8Array();
    if (call.json)
      call.io.out(`${JSON.stringify({ schemaVersion: 1, ok: command.exitCode === 0, runId, ...command })}\n`);
    else {
      call.io.bytes(text(command.stdout));
      call.io.err(new TextDecoder().decode(text(command.stderr)));
      if (!call.quiet)
        call.io.err(
          `· ${command.ended}${command.exitCode === null ? "" : ` with ${command.exitCode}`} after ${Math.round(command.durationMs)} ms (${command.permission.class}, sandbox: ${command.sandbox})\n`,
        );
    }
    return command.exitCode ?? exitCodes.failure;
  },
};
