// Replay: the calls of changed functions that were recorded while a check ran, made again in bare processes outside of it (B-25).
import { randomInt } from "node:crypto";
import type { CheckReplay, Doubt } from "../../core/contract/index.ts";
import { changedFiles, changedSource, looksAround, scriptOf, treeFiles } from "../checks/index.ts";
import { type Around, playBare, type ReplaySite } from "./bare.ts";
import { chooseCalls, type Recorded, type RecordedCall, type VariousCall, withTestVariables } from "./calls.ts";
import { farTurns, lookFar } from "./far.ts";
import { formDoubts, leftDoubts, mixedDoubts, slowDoubts } from "./forms.ts";
import { playInside } from "./inside.ts";
import { replayCompiled } from "./compiled/index.ts";
import { joined, loadersOf } from "./loaders.ts";
import { asksInside, type Compared, isSilent, type Outcome, outcomeOf, placeOf, stopText } from "./judge.ts";
import { declaredModes } from "./modes.ts";
import { namedIn } from "./named.ts";
import { type Named, neighboursOf } from "./neighbours.ts";
import type { PlannedCall, Played } from "./played.ts";
import { passesWithComment, recordCalls } from "./record.ts";
import {
  besides,
  countsOf,
  needsDoubts,
  runnerDoubts,
  setUpDoubts,
  sharedDoubts,
  unanswered,
  unplayedDoubts,
  withExports,
  withOutcomes,
  zero,
} from "./summary.ts";
import { stateDoubts, stateTurns } from "./state.ts";
import { isTestCode, recordable } from "./targets.ts";

export interface Replay extends ReplaySite {
  readonly tree: string;
  readonly baseTree: string;
  /** How long the check takes by itself. */
  readonly tookMs: number;
  readonly tell: (line: string) => void;
}

const least = 4_000;
const most = 20_000;
const longest = 40_000;
const mostDoubts = 20;
/** So many calls of the same functions in a row. */
const soak = 1_500;

export interface ReplayResult extends CheckReplay {
  readonly doubts: readonly Doubt[];
}

const none = (why: string, began: number): ReplayResult => ({ ...zero, skipped: why, spentMs: since(began) });
const since = (began: number): number => Math.round(performance.now() - began);
/** Undefined where the work changes no source whose calls can be recorded. */
export async function replayCalls(replay: Replay): Promise<ReplayResult | undefined> {
  const began = performance.now();
  const { repository, tree, baseTree, spec } = replay;
  const { files } = await changedSource(repository, baseTree, tree);
  const own = files.filter(({ path }) => spec.cwd === "" || path.startsWith(`${spec.cwd}/`));
  const loaders = await loadersOf(await treeFiles(repository, tree), own);
  const changed = [...recordable(own), ...loaders.files];
  if (own.length === 0) return undefined;
  if ((await replay.runner.confinement()) === "none") return none("there is no sandbox to call functions in", began);
  if (changed.length === 0) {
    const found = await replayCompiled(replay, own);
    return typeof found === "string" ? none(found, began) : { ...found, spentMs: since(began) };
  }
  let seed = randomInt(1, 4_000_000);
  replay.tell("replay: calls of the changed functions are recorded");
  let run = await recordCalls(replay, tree, changed, seed, "all");
  if (run?.passed === false) {
    if (!(await passesWithComment(replay, tree, changed)))
      return failing(changed, "with a comment added to them", began);
    // A suite that fails now and then is recorded once more, and with less: a check may look at a class itself.
    for (const depth of ["classes", "functions"] as const) {
      if (run?.passed !== false) break;
      seed = randomInt(1, 4_000_000);
      run = await recordCalls(replay, tree, changed, seed, depth);
    }
    // The texts of Python are not touched.
    if (run?.passed === false && changed.every(({ path }) => path.endsWith(".py")))
      return failing(changed, "while they were recorded again", began);
  }
  if (!run) return none("this system has no named pipes", began);
  if (!run.passed) return none(notPassing, began);
  if (run.recorded.broken) return unrecorded(changed, began);
  const calls = await chosen(replay, run.recorded, changed.filter(looks));
  const ofLoaded = (one: (typeof changed)[number]) => (loaders.files.includes(one) ? [loaders.named] : []);
  const before = new Set(changed.flatMap(({ path, before: text }) => (text === null ? [] : [path])));
  const values = new Map(changed.map((one) => [one.path, joined([...ofLoaded(one), namedIn(one)])]));
  const named = (file: string) => values.get(file) ?? { numbers: [], texts: [] };
  return { ...(await play(replay, { recorded: run.recorded, ...calls, before, seed, named })), spentMs: since(began) };
}

const notPassing = "the check does not pass while calls are recorded";

/** Two more runs failed, in which nothing changed that honest code can see. */
function failing(changed: readonly { readonly path: string }[], again: string, began: number): ReplayResult {
  const place = placesOf(changed);
  const measure = `the check passed, and failed twice more: while calls of these files were recorded, and ${again}`;
  return { ...none(notPassing, began), doubts: [{ kind: "replay", place, measure }] };
}

/** What breaks the recorder could be made for that. */
function unrecorded(changed: readonly { readonly path: string }[], began: number): ReplayResult {
  const why = "the recorder of calls broke while it was loaded, before any code of the project";
  return { ...none(why, began), doubts: [{ kind: "replay", place: placesOf(changed), measure: why }] };
}

const placesOf = (changed: readonly { readonly path: string }[]): string =>
  changed
    .map(({ path }) => path)
    .join(", ")
    .slice(0, 300);

interface ToPlay {
  readonly recorded: Recorded;
  readonly calls: readonly RecordedCall[];
  readonly unsteady: number;
  readonly various: readonly VariousCall[];
  /** Changed files that the base commit has too. */
  readonly before: ReadonlySet<string>;
  readonly seed: number;
  /** The values that the changed files name. */
  readonly named: (file: string) => Named;
}

/** Words in the text are only a hint for the order: nothing is concluded from them. */
const looks = ({ path, after }: { readonly path: string; readonly after: string }): boolean =>
  looksAround(path, after, [[1, after.split("\n").length]]).length > 0;

async function chosen({ repository, tree }: Replay, { calls }: Recorded, first: readonly { readonly path: string }[]) {
  const files = await treeFiles(repository, tree);
  const paths = calls.some(({ e }) => e) ? files.paths.filter(isTestCode).slice(0, 60) : [];
  const texts = (await files.readAll?.(paths)) ?? [];
  const isNamed = (name: string) => texts.some((text) => text?.includes(name));
  return chooseCalls(
    calls.map((call) => withTestVariables(call, isNamed)),
    (file) => first.some(({ path }) => path === file),
  );
}

const plain = ({ end: _end, ...call }: RecordedCall, i: number): PlannedCall => ({ ...call, i });

const lackingIn = (played: Played | undefined) => [...(played?.failed ?? [])].map(([file, why]) => ({ file, why }));

const ends = (played: Played | undefined) => (i: number) => played?.ends.get(i);

/** The calls, and calls near them, on the work and on the base commit. */
async function playBoth(replay: Replay, { recorded, calls, various, before, seed, named }: ToPlay) {
  const planned = calls.map(plain);
  const near = neighboursOf(calls, named);
  const beside = near.map((call, at): PlannedCall => ({ ...call, i: calls.length + at }));
  const bare = { modules: recorded.modules, seed, timeoutMs: Math.min(most, Math.max(least, 2 * replay.tookMs)) };
  const first: Around = { label: "near", calls: planned, beside, times: 8, soak, lists: true };
  replay.tell(`replay: ${calls.length} calls and ${near.length} neighbours outside of the tests`);
  const ofState = stateTurns(calls, various);
  const onWork = { ...bare, tree: replay.tree, processes: [first, ...ofState, ...farTurns(planned, seed)] };
  let work = await playBare(replay, onWork);
  // A busy machine gets the longest time before anything is concluded from silence.
  if (unanswered(planned, work?.played.get("near")).length > 0)
    work = await playBare(replay, { ...onWork, timeoutMs: longest });
  if (!work) return undefined;
  const old = (all: readonly PlannedCall[]) => all.filter(({ m }) => before.has(m));
  // Far away the base commit is asked only about differences.
  const processes = [
    { ...first, calls: old(planned), beside: old(beside) },
    ...ofState.map((one) => ({ ...one, calls: old(one.calls) })),
  ];
  const base = before.size === 0 ? undefined : await playBare(replay, { ...bare, tree: replay.baseTree, processes });
  const [ofNear, other] = [ends(work.played.get("near")), ends(work.played.get("other1"))];
  const onBase = ends(base?.played.get("near"));
  const failed = work.played.get("near")?.failed;
  const compared = calls.map((call, i): Compared => ({
    i,
    call,
    near: ofNear(i),
    other: other(i),
    base: onBase(i),
    failed: failed?.get(call.m),
  }));
  const sides = { work: work.played, base: base?.played, folders: work.folders };
  return { planned, near, bare, work, base, compared, ofState: stateDoubts(various, compared, sides) };
}

type PlayedBoth = NonNullable<Awaited<ReturnType<typeof playBoth>>>;

/** Inside the runner too: what is the same there without a test around it is no doing of the runner. */
async function outcomesOf(replay: Replay, { compared, work, bare }: PlayedBoth): Promise<Outcome[]> {
  const outcomes = compared.map((one) => outcomeOf(one, undefined, work.folders));
  const asked = compared.filter((one) => asksInside(one, work.folders));
  if (asked.length === 0) return outcomes;
  const calls = asked.map(({ i, call }) => plain(call, i));
  const inside = await playInside(replay, { ...bare, tree: replay.tree, calls });
  const found = compared.map((one) => outcomeOf(one, inside?.ends.get(one.i), work.folders));
  const open = asked.filter(({ i, near }) => /^(?:set_up|needs)$/.test(found[i] ?? "") && near && "r" in near.end);
  if (open.length === 0) return found;
  const some = open.map(({ i, call }) => plain(call, i));
  const named = await playInside(replay, { ...bare, tree: replay.tree, calls: some, inPlace: true });
  return compared.map((one, at) => {
    const outcome = outcomeOf(one, named?.ends.get(one.i), work.folders);
    return outcome === "outside" && open.includes(one) ? outcome : (found[at] ?? outcome);
  });
}

/** Each call gives the recorded result where nothing but these variables is added: whether code may behave by them is a
 * question for a person. */
async function isByMode(
  replay: Replay,
  { planned, bare, work }: PlayedBoth,
  found: readonly Compared[],
  variables: readonly string[],
): Promise<boolean> {
  const calls = planned.filter(({ i }) => found.some((one) => one.i === i));
  const processes = [{ label: "mode", calls, variables }];
  const played = await playBare(replay, { ...bare, tree: replay.tree, processes });
  const ends = played?.played.get("mode")?.ends;
  return found.every((one) => outcomeOf({ ...one, near: ends?.get(one.i) }, undefined, work.folders) === "same");
}

/** The variables that make all of these calls give what was recorded; none where the runner itself makes it. */
async function modeOf(replay: Replay, both: PlayedBoth, found: readonly Compared[]): Promise<readonly string[]> {
  const onBase = await treeFiles(replay.repository, replay.baseTree);
  const all = declaredModes(await scriptOf(onBase, replay.spec));
  if (!(await isByMode(replay, both, found, all))) return [];
  if (all.length === 1) return all;
  // The question names no more than what makes the difference.
  for (const one of all) if (await isByMode(replay, both, found, [one])) return [one];
  return all;
}

/** Whether the work changes or removes a test of the base commit. */
async function changesTests({ repository, baseTree, tree }: Replay): Promise<boolean> {
  const [before, now] = [await treeFiles(repository, baseTree), new Set((await treeFiles(repository, tree)).paths)];
  const changed = new Set(await changedFiles(repository, baseTree, tree));
  return before.paths.some((path) => isTestCode(path) && (changed.has(path) || !now.has(path)));
}

async function play(replay: Replay, toPlay: ToPlay): Promise<Omit<ReplayResult, "spentMs">> {
  const counts = countsOf(toPlay);
  const both = toPlay.calls.length + toPlay.various.length === 0 ? undefined : await playBoth(replay, toPlay);
  if (!both) return counts;
  const { compared, work, base, near } = both;
  const outcomes = await outcomesOf(replay, both);
  const all = withExports(counts, toPlay.recorded.known, work.played.get("near")?.exports);
  const result = withOutcomes(all, outcomes, compared);
  const outside = compared.find((_, at) => outcomes[at] === "outside");
  if (outside) {
    const found = compared.filter((_, at) => outcomes[at] === "outside");
    const mode = await modeOf(replay, both, found);
    if (mode.length === 0) return { ...result, stop: stopText(outside, work.folders) };
    const measure = `${stopText(outside, work.folders)}; with ${mode.join(" ")} the plain process gives it too`;
    return { ...result, doubts: [{ kind: "replay", place: placeOf(outside.call), measure }] };
  }
  const steady = compared.filter((_, at) => outcomes[at] === "same");
  const silent = compared.find((one) => isSilent(one, work.folders));
  const without = unanswered(compared, work.played.get("near")).map(({ call }) => call);
  const far = await lookFar(replay, { ...both, steady });
  const needs = needsDoubts(compared, outcomes, work.folders);
  const around = besides(compared, near, compared.length, work.played.get("near"), base?.played.get("near"));
  return {
    ...result,
    ...(far.stop === undefined ? {} : { stop: far.stop }),
    neighbours: around.tried,
    changed: around.changed,
    doubts: [
      ...(silent ? [{ kind: "replay" as const, place: placeOf(silent.call), measure: stopText(silent, []) }] : []),
      ...unplayedDoubts(toPlay.calls, without).filter(({ place }) => !silent || place !== placeOf(silent.call)),
      ...setUpDoubts(compared, outcomes, toPlay.before),
      ...needs,
      ...both.ofState,
      ...sharedDoubts(compared),
      ...mixedDoubts(compared, work.played.get("near"), base?.played.get("near")),
      ...leftDoubts(toPlay.recorded.modules, work.played.get("near"), base?.played.get("near")),
      ...slowDoubts(compared, outcomes),
      ...formDoubts(compared, outcomes, await changesTests(replay)),
      ...runnerDoubts(compared, outcomes, toPlay.before, lackingIn(work.played.get("near"))),
      ...far.doubts,
      ...around.doubts.filter(({ place }) => needs.every((one) => one.place !== place)),
    ].slice(0, mostDoubts),
  };
}
