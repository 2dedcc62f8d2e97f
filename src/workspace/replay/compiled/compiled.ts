// Replay for Go and Rust: public functions with plain types are recorded while the check runs, and called again by a program
// of our own in the same module, without tests and history (B-25).
import { randomBytes } from "node:crypto";
import type { Doubt } from "../../../core/contract/index.ts";
import { languageOf } from "../../checks/index.ts";
import type { ReplaySite } from "../bare.ts";
import { argumentsOf, chooseCalls, nameOf, type Recorded, type RecordedCall } from "../calls.ts";
import type { End } from "../ends.ts";
import { type Compared, outcomeOf, stopText } from "../judge.ts";
import { namedIn } from "../named.ts";
import { type Named, neighboursOf, nothingNamed } from "../neighbours.ts";
import type { PlannedCall, Played } from "../played.ts";
import { besides, countsOf, setUpDoubts, unplayedDoubts, withOutcomes } from "../summary.ts";
import { isTestCode } from "../targets.ts";
import { playCompiled } from "./play.ts";
import { recordCompiled } from "./record.ts";
import { type Signature, signaturesIn } from "./signature.ts";

export interface CompiledReplay extends ReplaySite {
  readonly tree: string;
  readonly baseTree: string;
  readonly tookMs: number;
  readonly tell: (line: string) => void;
}

export interface ChangedText {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

const keyOf = ({ file, name }: Signature): string => `${file} ${name}`;

/** Why nothing was replayed, or what was found. */
export async function replayCompiled(replay: CompiledReplay, all: readonly ChangedText[]) {
  const language = all.map(({ path }) => languageOf(path)).find((one) => one === "go" || one === "rust");
  if (language !== "go" && language !== "rust") return "its language has no recorder";
  const files = all.filter(({ path }) => languageOf(path) === language && !isTestCode(path));
  const now = files.flatMap(({ path, after }) => signaturesIn(path, after));
  if (now.length === 0) return "no changed function is public and has plain types only";
  const mark = `zz${randomBytes(3).toString("hex")}`;
  replay.tell("replay: calls of the changed functions are recorded");
  const run = await recordCompiled(replay, { language, mark, files, signatures: now });
  if (run === undefined) return "this system has no named pipes";
  if (!run.passed) return "the check does not pass while calls are recorded";
  const old = files.flatMap(({ path, before }) => (before === null ? [] : signaturesIn(path, before)));
  const values = new Map(files.map((one) => [one.path, namedIn(one)]));
  const named = (file: string) => values.get(file) ?? nothingNamed;
  return play(replay, { language, mark, recorded: run.recorded, now, old, named });
}

interface ToPlay {
  readonly language: "go" | "rust";
  readonly mark: string;
  readonly recorded: Recorded;
  readonly now: readonly Signature[];
  readonly old: readonly Signature[];
  readonly named: (file: string) => Named;
}

/** Results are compared as the language prints them. */
const printed = (end: End): End => ("r" in end ? { r: { $: "printed", v: end.r } } : end);

const allPrinted = (played: Played): Played => ({
  ...played,
  ends: new Map([...played.ends].map(([i, one]) => [i, { ...one, end: printed(one.end) }])),
});

async function play(replay: CompiledReplay, { language, mark, recorded, now, old, named }: ToPlay) {
  // Tests in threads come in another order each time.
  const inOrder = recorded.calls.toSorted((a, b) => (argumentsOf(a) < argumentsOf(b) ? -1 : 1));
  const { calls, unsteady } = chooseCalls(inOrder.map((call) => ({ ...call, end: printed(call.end) })));
  const counts = countsOf({ recorded, calls, unsteady });
  if (calls.length === 0) return counts;
  // A compiler refuses a call with fewer arguments.
  const near = neighboursOf(calls, named).filter((one) =>
    calls.some((call) => nameOf(call) === nameOf(one) && call.a.length === one.a.length),
  );
  const planned: PlannedCall[] = [...calls, ...near].map(({ m, f, a }, i) => ({ m, f, a, i }));
  replay.tell(`replay: ${calls.length} calls and ${near.length} neighbours outside of the tests`);
  const onTree = async (tree: string, signatures: readonly Signature[], label: string) => {
    const played = await playCompiled(replay, { language, mark, tree, label, calls: planned, signatures });
    return typeof played === "object" ? allPrinted(played) : played;
  };
  const work = await onTree(replay.tree, now, "work");
  if (work === "timeout") return { ...counts, lost: counts.lost + calls.length, doubts: unplayedDoubts(calls, calls) };
  if (!work) return "the calls cannot be compiled outside of the tests";
  // A function with another signature is another function.
  const same = old.filter((one) => now.some((other) => keyOf(other) === keyOf(one) && other.written === one.written));
  const base = same.length === 0 ? undefined : await onTree(replay.baseTree, same, "base");
  return judged(calls, counts, {
    near,
    work,
    base: base === "timeout" ? undefined : base,
    before: new Set(same.map(({ file }) => file)),
  });
}

interface PlayedBoth {
  readonly near: ReturnType<typeof neighboursOf>;
  readonly work: Played;
  readonly base: Played | undefined;
  /** Changed files that the base commit has too. */
  readonly before: ReadonlySet<string>;
}

function judged(
  calls: readonly RecordedCall[],
  counts: ReturnType<typeof countsOf>,
  { near, work, base, before }: PlayedBoth,
) {
  const compared = calls.map((call, i): Compared => {
    const outside = work.ends.get(i);
    return { i, call, near: outside, other: outside, base: base?.ends.get(i) };
  });
  const outcomes = compared.map((one) => outcomeOf(one, undefined, []));
  const result = withOutcomes(counts, outcomes, compared);
  const outside = compared.find((_, at) => outcomes[at] === "outside");
  if (outside) return { ...result, stop: stopText(outside, []) };
  const around = besides(compared, near, calls.length, work, base);
  const doubts: Doubt[] = [...setUpDoubts(compared, outcomes, before), ...around.doubts];
  return { ...result, neighbours: around.tried, changed: around.changed, doubts };
}
