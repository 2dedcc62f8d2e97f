// The doubts of the runtime about the work of a pass, as one list (B-26). Gates, directives, claims, the report and the end
// of the run read it here. A doubt comes from a measurement, never from the text of a model.
import {
  doubtLabels,
  visibleName,
  type CheckEvidence,
  type Doubt,
  type DoubtKind,
  type PatchJudgement,
} from "../../contract/index.ts";
import { diffRead, verifierAnswers } from "../facts/index.ts";
import { defaultDoubts } from "../policy/index.ts";
import type { Pass, Run } from "../state/index.ts";
import { blindDoubts } from "./blind.ts";
import { compareChecks, type CheckComparison } from "./check-comparison.ts";
import { isTooFew, reachesChange, reachMeasure, unsteadyText } from "./measure.ts";
import { baseTree, reviewTree } from "./trees.ts";

const findingKinds: Readonly<Record<string, DoubtKind>> = {
  invisible_characters: "invisible",
  lookalike_letters: "lookalike",
  binary_source: "binary",
};

const ofPatch = ({ findings }: PatchJudgement): Doubt[] =>
  findings.flatMap(({ reason, path = "", message }) => {
    const kind = findingKinds[reason];
    return kind === undefined ? [] : [{ kind, place: visibleName(path), measure: message }];
  });

function ofCheck({ command, after }: CheckComparison): Doubt[] {
  return [
    ...(isDeaf(after) ? [deaf(`\`${command}\``)] : []),
    ...after.flatMap((one) => [
      ...silent(one),
      ...historic(`\`${command}\``, one),
      ...wavering(one),
      ...varied(one),
      ...(one.doubts ?? []),
    ]),
  ];
}

/** A runner of tests that does not notice a planted failure proves nothing at all. A check that runs no test may not read it. */
export const isDeaf = (after: readonly CheckEvidence[]): boolean =>
  after.some(
    ({ control, testsRun }) => testsRun !== null && control && control !== "off" && control.canary === "unnoticed",
  );

const deaf = (place: string): Doubt => ({
  kind: "unnoticed_failure",
  place,
  measure: "it passes with a failure that was planted in its tests, so its result proves nothing",
});

/** A test file of the work whose assertions may be wrong without a failure. */
function silent({ control }: CheckEvidence): Doubt[] {
  const files = control && control !== "off" ? (control.planted?.deaf ?? []) : [];
  return files.map((place) => ({
    kind: "unnoticed_failure",
    place,
    measure: "its tests pass when the values that they compare are made wrong",
  }));
}

/** A test that fails now and then on the base commit too is no doubt about the work. */
function wavering({ unsteady, variant }: CheckEvidence): Doubt[] {
  if (unsteady === undefined || variant === "base" || unsteady.base.failed > 0) return [];
  return [{ kind: "unsteady", place: unsteady.tests.join(", "), measure: unsteadyText(unsteady) }];
}

function historic(place: string, { control }: CheckEvidence): Doubt[] {
  if (!control || control === "off" || control.needsHistory !== true) return [];
  return [
    {
      kind: "surroundings",
      place,
      measure: "it passes only where earlier commits can be read; on the base commit it passes without them",
    },
  ];
}

function varied({ repeats }: CheckEvidence): Doubt[] {
  if (repeats?.same === undefined) return [];
  return [
    {
      kind: "surroundings",
      place: placeOf(repeats.same),
      measure: `${repeats.same}; all ${repeats.ran} runs had the same`,
    },
  ];
}

/** `src/add.js:1 reads the machine` → `src/add.js:1`. */
const placeOf = (text: string): string => text.split(" ")[0] ?? text;

function ofReach(all: readonly CheckComparison[]): Doubt[] {
  const found = reachesChange(all);
  if (found === null) return [];
  const { unreached, unmeasured, known, touchy } = found;
  const measure = reachMeasure(found);
  const make = (kind: DoubtKind, place: string, why: string): Doubt => ({ kind, place, measure: why });
  const few = unreached.length === 0 && isTooFew(found);
  return [
    ...(touchy === null
      ? []
      : [
          make(
            "unreached",
            "the change",
            `${touchy} makes the check fail, so what it notices says nothing about values`,
          ),
        ]),
    ...unreached.map((place) => make("unreached", place, `no check notices when its values are wrong; ${measure}`)),
    ...(few ? [make("unreached", "the change", `fewer than half of the wrong values are noticed; ${measure}`)] : []),
    ...(unmeasured === null ? [] : [make("untried", unmeasured, `nothing was noticed or tried there; ${measure}`)]),
    ...(known === null
      ? []
      : [make("known_values", placeOf(known), `${known}, and nothing shows that it is right for others`)]),
  ];
}

function ofReview(run: Run, pass: Pass): Doubt[] {
  const { given, total } = diffRead(run, verifierAnswers(run, pass));
  if (pass.verifier === null || pass.accepted || given >= total) return [];
  return [{ kind: "unread", place: "the diff", measure: `the verifier read ${given} of ${total} bytes` }];
}

/** A check that a person let pass, and a project without one. Those that the policy names are the user's own rule. */
function ofWaivers(run: Run, pass: Pass): Doubt[] {
  const { waivedChecks } = run.created.policy;
  const tree = reviewTree(run);
  return pass.waivers
    .filter((one) => one.tree === tree && !waivedChecks.includes(one.command))
    .map(({ checkId, command, message }) => ({
      kind: checkId === "none" ? "no_check" : "waived",
      place: checkId === "none" ? "the project" : `\`${command}\``,
      measure: checkId === "none" ? "it defines no check" : `waived by the user: ${message}`,
    }));
}

const keyOf = ({ kind, place, measure }: Doubt): string => JSON.stringify([kind, place, measure]);

/** Every doubt about the work of this pass, each once; none where nothing was changed. */
export function doubtsOf(run: Run, pass: Pass): Doubt[] {
  if (run.created.mode !== "implement" || run.created.baseTree === null) return [];
  if (reviewTree(run) === baseTree(run)) return [];
  const all = compareChecks(run, pass);
  const measured = all.flatMap(ofCheck);
  const isMeasured = ({ kind, place }: Doubt) => measured.some((one) => one.kind === kind && one.place === place);
  const found = [
    ...measured,
    ...ofReach(all),
    // A file that a check was seen to load is one doubt, not two.
    ...(pass.judgement ? ofPatch(pass.judgement).filter((one) => !isMeasured(one)) : []),
    ...ofReview(run, pass),
    ...ofWaivers(run, pass),
    ...blindDoubts(pass),
  ];
  return [...new Map(found.map((one) => [keyOf(one), one])).values()];
}

const policyOf = ({ created }: Run) => created.policy.doubts ?? defaultDoubts;

/** Those that the user's policy does not take. */
export const openDoubts = (run: Run, all: readonly Doubt[]): Doubt[] =>
  all.filter(({ kind }) => !policyOf(run).accept.includes(kind));

/** Those that are a question before the work is integrated, also on autopilot. */
export const askingDoubts = (run: Run, all: readonly Doubt[]): Doubt[] =>
  openDoubts(run, all).filter(({ kind }) => policyOf(run).ask.includes(kind));

/** One doubt for people, in one line that is never cut. */
export const doubtLine = ({ kind, place, measure }: Doubt): string => `- ${doubtLabels[kind]}: ${place}: ${measure}`;

export function doubtLines(all: readonly Doubt[]): string[] {
  if (all.length === 0) return [];
  return [`DOUBTS of the runtime (${all.length}):`, ...all.map(doubtLine), ""];
}
