// The same calls far from where the check ran: another folder, time zone, locale, clock, terminal, hash seed and process, and
// many times in a row. A difference is traced to the one thing that makes it.
import type { Doubt } from "../../core/contract/index.ts";
import { runCheck } from "../checks/index.ts";
import { type Around, type BareResult, playBare, type ReplaySite } from "./bare.ts";
import type { LoadedModule } from "./calls.ts";
import { type Compared, type FarDifference, farDifferences, farText, placeOf, type Turn } from "./judge.ts";
import type { PlannedCall, Played } from "./played.ts";
import { showCall, showEnd } from "./show.ts";

const aheadMs = 410 * 86_400_000;
const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
const zone = here === "Asia/Kolkata" ? "America/St_Johns" : "Asia/Kolkata";
const locale = "de_DE.UTF-8";

const all = { elsewhere: true, zone, locale, aheadMs, terminal: true } as const;
/** Further processes: another pid and, for Python, another seed for hashes. */
const others = ["other1", "other2", "other3", "other4", "other5"] as const;

export const farTurns = (calls: readonly PlannedCall[], seed: number): Around[] => [
  { label: "far", calls, ...all },
  ...others
    .slice(0, calls.some(({ m }) => m.endsWith(".py")) ? others.length : 1)
    .map((label, at) => ({ label, calls, seed: seed + 7_919 * (at + 1) })),
];

const together: Turn = { label: "far", where: "in another folder, time zone, locale and year", hard: false };
const again: readonly Turn[] = others.map((label) => ({ label, where: "in another process", hard: true, loose: true }));

const single: readonly (Turn & Partial<Around>)[] = [
  { label: "clock", where: "where the clock is 410 days ahead", hard: true, aheadMs },
  { label: "zone", where: `in the time zone ${zone}`, hard: false, zone },
  { label: "locale", where: `in the locale ${locale}`, hard: false, locale },
  { label: "folder", where: "in another working folder", hard: false, elsewhere: true },
  { label: "terminal", where: "at a terminal", hard: false, terminal: true },
];

interface FarInput {
  readonly bare: { readonly modules: readonly LoadedModule[]; readonly seed: number; readonly timeoutMs: number };
  /** Calls that give the same in a bare process. */
  readonly steady: readonly Compared[];
  readonly planned: readonly PlannedCall[];
  readonly work: BareResult;
  readonly base: BareResult | undefined;
}

interface FarReplay extends ReplaySite {
  readonly tree: string;
  readonly baseTree: string;
  readonly tookMs: number;
  readonly tell: (line: string) => void;
}

interface FarOutcome {
  readonly stop?: string;
  readonly doubts: readonly Doubt[];
}

const mostTraced = 20;

export async function lookFar(replay: FarReplay, input: FarInput): Promise<FarOutcome> {
  const { steady, work } = input;
  const sides = { work: work.played, base: new Map<string, Played>(), folders: work.folders };
  const found = farDifferences({ ...sides, calls: steady, turns: [...again, together] });
  const traced = found.length === 0 ? [] : await trace(replay, input, found);
  const stop = traced.find(({ hard }) => hard);
  if (stop) return { stop: farText(stop), doubts: [] };
  const open = await unexplained(replay, traced);
  return { doubts: [...open.map(doubtOf), ...turnedDoubts(input)] };
}

const doubtOf = (one: FarDifference): Doubt => ({
  kind: "replay",
  place: placeOf(one.call),
  measure: farText(one),
});

/** Each way alone, on the work and on the base commit; where none makes the difference, all of them together do. */
async function trace(replay: FarReplay, input: FarInput, far: readonly FarDifference[]): Promise<FarDifference[]> {
  const { bare, steady, planned } = input;
  const names = new Set(far.map(({ call }) => call));
  const calls = steady.filter(({ call }) => names.has(call)).slice(0, mostTraced);
  const few = calls.flatMap(({ i }) => planned.filter((one) => one.i === i));
  const ways = single.map(({ where: _where, hard: _hard, ...around }): Around => ({ ...around, calls: few }));
  const same = farTurns(few, bare.seed).filter(({ label }) =>
    far.some((one) => one.label === label && label !== together.label),
  );
  const work = far.some(({ label }) => label === together.label)
    ? await playBare(replay, { ...bare, tree: replay.tree, processes: ways })
    : undefined;
  const base = await playBare(replay, { ...bare, tree: replay.baseTree, processes: [...ways, ...same] });
  const sides = {
    base: base?.played ?? new Map<string, Played>(),
    folders: [input.work, work, base].flatMap((one) => one?.folders ?? []),
  };
  const found = [
    ...farDifferences({ ...sides, work: input.work.played, calls, turns: again }),
    ...farDifferences({ ...sides, work: work?.played ?? new Map<string, Played>(), calls, turns: single }),
  ];
  return far.map((one) => found.find(({ call }) => call === one.call) ?? one);
}

/** Work that follows the clock, the zone or the locale as its tests expect passes its check there. */
async function unexplained(replay: FarReplay, found: readonly FarDifference[]): Promise<FarDifference[]> {
  const ways = {
    clock: { aheadMs },
    zone: { attached: { env: { TZ: zone } } },
    locale: { attached: { env: { LC_ALL: locale, LANG: locale } } },
  };
  const followed = new Set<string>();
  for (const label of ["clock", "zone", "locale"] as const) {
    if (!found.some((one) => one.label === label)) continue;
    replay.tell(`replay: the check ${found.find((one) => one.label === label)?.where ?? ""}`);
    if ((await runCheck({ ...replay, ...ways[label] })).result === "passed") followed.add(label);
  }
  return found.filter(({ label }) => !followed.has(label));
}

/** Results that turn into others after many calls, where they do not on the base commit. */
function turnedDoubts({ steady, work, base }: FarInput): Doubt[] {
  const now = work.played.get("near");
  const before = base?.played.get("near");
  for (const { i, call } of steady) {
    const turned = now?.turned.get(i);
    // A new function may count what it is asked; one that comes back to its first result is right now and then.
    if (!turned || before?.turned.has(i) || (!before?.ends.has(i) && !turned.back)) continue;
    const beside = before?.ends.has(i)
      ? "on the base commit it stays the same"
      : "then it gives the first one again, so that chance decides";
    const measure = `${showCall(call)} gives ${showEnd(call.end)}, and ${showEnd(turned.end)} after ${turned.after} calls; ${beside}`;
    return [{ kind: "replay", place: placeOf(call), measure }];
  }
  return [];
}
