// Commands that begin a run or take one up again.
import { promises } from "node:fs";
import { fail } from "../../../contract/index.ts";
import { parseInput, startRun, type StartRunInput } from "../../../operations/runs/index.ts";
import type { RepositoryRuns } from "../../../operations/index.ts";
import { countOf, positiveNumber, wholeNumber } from "../numbers.ts";
import type { Call, CommandBody } from "../spec.ts";
import { driveRun } from "./finish.ts";
import { assignable } from "./start-table.ts";

async function stubScript(call: Call): Promise<unknown> {
  const given = call.flags.text("stub-script");
  if (given === undefined) return undefined;
  const inline = given.trimStart().startsWith("{");
  try {
    return JSON.parse(inline ? given : await promises.readFile(given, "utf8"));
  } catch (error) {
    return fail(
      "invalid_input",
      `The stub script cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
      {
        remedy: "Give a JSON file, or the JSON itself; docs/guides/stub.md shows its shape.",
      },
    );
  }
}

async function request(call: Call, mode: StartRunInput["mode"]): Promise<StartRunInput> {
  const { flags } = call;
  const roles = Object.fromEntries(
    assignable.flatMap((role) => (flags.text(role) === undefined ? [] : [[role, flags.text(role)]])),
  );
  const minutes = positiveNumber(flags, "max-minutes");
  return {
    goal: call.words["goal"] ?? "",
    mode,
    roles,
    ...(flags.text("team") === undefined ? {} : { team: flags.text("team") }),
    constraints: [...flags.texts("constraint")],
    acceptanceCriteria: [...flags.texts("acceptance")],
    checks: [...flags.texts("check")],
    noChecks: flags.on("no-checks"),
    waive: [...flags.texts("waive")],
    allowedPaths: [...flags.texts("allowed-path")],
    disallowedPaths: [...flags.texts("disallowed-path")],
    ...(flags.text("approvals") === undefined ? {} : { approvals: flags.text("approvals") as "manual" }),
    ...(flags.text("max-iterations") === undefined
      ? {}
      : { maxIterations: wholeNumber(flags, "max-iterations") }),
    ...(flags.text("max-tokens") === undefined ? {} : { maxTokens: wholeNumber(flags, "max-tokens") }),
    ...(minutes === undefined ? {} : { maxMinutes: minutes }),
    stubScript: await stubScript(call),
  };
}

/** Who was found is told before anything is asked of them; whoever was named needs no word. */
async function tellFound(call: Call, desk: RepositoryRuns, runId: string): Promise<void> {
  const [first] = await desk.events(runId);
  if (first?.event.type !== "run_created") return;
  const { roles } = first.event;
  const lines = new Map<string, string[]>();
  for (const role of assignable) {
    const seat = roles[role];
    if (seat?.source !== "found") continue;
    const who = `${seat.assignment}${seat.why ? ` (${seat.why})` : ""}`;
    lines.set(who, [...(lines.get(who) ?? []), role]);
  }
  if (lines.size === 0) return;
  const seats = [...lines].map(([who, names]) => `  ${who}: ${names.join(", ")}\n`);
  const named = Object.values(roles).some(({ source }) => source !== "found");
  const why = named
    ? "Not everyone this run needs was named; these were found on this machine"
    : "Nobody is configured, so this run uses the agents found on this machine";
  call.io.err(`${why}:\n${seats.join("")}Choose yourself: thehood teams, or --implementer and --verifier.\n`);
}

function starts(mode: (call: Call) => StartRunInput["mode"]): CommandBody {
  return {
    async run(call) {
      const input = parseInput(startRun, await request(call, mode(call)), "This run cannot be started");
      await using desk = await call.given.runs(call.repo);
      const runId = await desk.start(input);
      await tellFound(call, desk, runId);
      if (call.flags.on("no-loop")) {
        const status = await desk.status(runId);
        call.io.out(call.json ? call.jsonLine({ ok: true, stop: "created", ...status }) : `${runId}\n`);
        return 0;
      }
      return await driveRun(call, desk, runId, { maxCycles: wholeNumber(call.flags, "max-cycles") });
    },
  };
}

export const run = starts((call) => (call.flags.text("mode") ?? "implement") as StartRunInput["mode"]);
export const goal = starts(() => "implement");
export const plan = starts(() => "plan");
export const research = starts(() => "research");
export const review = starts(() => "review");

export const resume: CommandBody = {
  async run(call) {
    await using desk = await call.given.runs(call.repo);
    const seconds = countOf(call.flags, "wait");
    const waitMs = seconds === undefined ? undefined : seconds * 1_000;
    const wanted = call.flags.on("beside") ? "beside" : undefined;
    return await driveRun(call, desk, await desk.find(call.words["run"]), { waitMs, wanted });
  },
};

export const loop: CommandBody = {
  async run(call) {
    await using desk = await call.given.runs(call.repo);
    return await driveRun(call, desk, await desk.find(call.words["run"]), {
      maxCycles: wholeNumber(call.flags, "max-cycles"),
    });
  },
};
