// The commands about sessions: list, show, follow, end, repeat, remove; and the check of this machine.
import { fail, plain } from "../../../contract/index.ts";
import type { Desk, Listed, SessionView } from "../../../contract/transport/index.ts";
import { printJson } from "../failure.ts";
import { printOutcome } from "../outcome.ts";
import type { Given } from "../program.ts";
import type { OracleWorld } from "../spec.ts";
import { afterStart, progress, told } from "./run.ts";

interface Call {
  readonly desk: Desk;
  readonly words: readonly string[];
  readonly given: Given;
  readonly world: OracleWorld;
  readonly json: boolean;
}

const bodies: Readonly<Record<string, (call: Call) => number | Promise<number>>> = {
  status,
  session: show,
  attach,
  cancel,
  restart,
  clear,
  doctor,
  "run-session": runSession,
};

export async function sessionCommand(
  name: string,
  words: readonly string[],
  given: Given,
  world: OracleWorld,
): Promise<number> {
  const body = bodies[name];
  if (!body) throw new TypeError(`there is no body for ${name}`);
  return await body({ desk: await world.desk(), words, given, world, json: given["json"] === true });
}

const idOf = ({ words }: Call) => words[0] ?? "";

const summary = (listed: Listed) =>
  listed.view === null
    ? { id: listed.id, status: "unreadable", problem: listed.problem }
    : {
        id: listed.id,
        status: listed.view.record.status,
        createdAt: listed.view.record.createdAt,
        endedAt: listed.view.record.endedAt,
        mode: listed.view.record.mode,
        model: listed.view.record.model,
        stage: listed.view.record.stage,
        promptPreview: listed.view.record.promptPreview,
        folder: listed.view.folder,
      };

function status({ desk, given, world, json }: Call): number {
  const limit = given["all"] === true ? Number.POSITIVE_INFINITY : Number(given["limit"] ?? 20);
  if (Number.isNaN(limit))
    return fail("invalid_input", "--limit is a number.", { remedy: "oracle status --limit 50" });
  const all = desk.list();
  const listed = all.slice(0, limit);
  if (json) {
    printJson(world.io, listed.map(summary));
    return 0;
  }
  if (all.length === 0) world.io.err("There are no sessions.\n");
  for (const one of listed) {
    const { view } = one;
    const state = view?.record.status ?? "unreadable";
    const about =
      view === null
        ? (one.problem ?? "")
        : `${view.record.createdAt}  ${view.record.promptPreview.slice(0, 60)}`;
    world.io.out(`${state.padEnd(15)} ${one.id.padEnd(32)} ${plain(about)}\n`);
  }
  if (all.length > listed.length)
    world.io.err(`${all.length - listed.length} older ones: oracle status --all\n`);
  return 0;
}

function show(call: Call): number {
  const { desk, world, json } = call;
  const view = desk.view(idOf(call));
  if (json) printJson(world.io, { session: view.record, result: view.result, folder: view.folder });
  else if (view.result === null) world.io.err(describe(view));
  else {
    world.io.err(describe(view));
    printOutcome(world, desk.outcome(idOf(call)), false);
  }
  return 0;
}

function describe({ record, folder }: SessionView): string {
  return [
    `${record.id}: ${record.status} (${record.stage})`,
    `asked ${record.createdAt} in ${record.cwd}, ${record.mode} ${record.model}`,
    `folder ${folder}`,
    `prompt ${record.promptPreview}`,
    "",
  ]
    .map(plain)
    .join("\n");
}

async function attach(call: Call): Promise<number> {
  const { desk, world, json, given } = call;
  const onLine = progress(world, given["quiet"] === true);
  return told(await desk.follow(idOf(call), { onLine, signal: world.signal }), json, world);
}

async function cancel(call: Call): Promise<number> {
  const { desk, world, json } = call;
  const before = desk.view(idOf(call)).record.status;
  const view = await desk.cancel(idOf(call));
  if (json) printJson(world.io, { session: view.record, result: view.result });
  else if (before === "pending" || before === "running") world.io.err(`${view.record.id}: cancelled\n`);
  else world.io.err(`${view.record.id} had ended before: ${view.record.status}\n`);
  return 0;
}

async function restart(call: Call): Promise<number> {
  const { desk, world, given, json } = call;
  const timeout = typeof given["timeout"] === "string" ? { timeout: given["timeout"] } : {};
  const view = await desk.restart(idOf(call), { fresh: given["fresh"] === true, ...timeout });
  return await afterStart(
    view,
    { json, wait: given["wait"] !== false, quiet: given["quiet"] === true },
    world,
  );
}

function clear({ desk, words, given, world, json }: Call): number {
  const all = given["all"] === true;
  const older = given["olderThan"];
  if (words.length === 0 && !all && older === undefined)
    return fail("invalid_input", "Which sessions shall go?", {
      remedy: "Name them, or use --older-than 7d or --all; --dry-run only says which.",
    });
  const dryRun = given["dryRun"] === true;
  if (!dryRun && words.length > 0) desk.remove(words);
  const pruned = all || older !== undefined ? desk.prune(all ? "0" : String(older), dryRun) : [];
  const gone = [...words, ...pruned];
  if (json) printJson(world.io, { removed: dryRun ? [] : gone, wouldRemove: dryRun ? gone : [] });
  else world.io.err(`${dryRun ? "would remove" : "removed"} ${gone.length}: ${gone.join(" ")}\n`);
  return 0;
}

async function doctor({ desk, world, json }: Call): Promise<number> {
  const lines = await desk.doctor();
  if (json) printJson(world.io, lines);
  else
    for (const { name, state, detail } of lines)
      world.io.out(`${state.padEnd(8)} ${name}: ${plain(detail)}\n`);
  return lines.some(({ state }) => state === "missing") ? 1 : 0;
}

/** The body of a run's own process. */
async function runSession(call: Call): Promise<number> {
  return await call.world.runSession(idOf(call));
}
