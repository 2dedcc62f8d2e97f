// The effects around a verified candidate: look at the checkout, build again, apply, capture evidence, look once more.
import type { Effect } from "../../contract/index.ts";
import { candidateStep } from "../review/index.ts";
import type { Pass, Run } from "../state/index.ts";

type NextOf = (run: Run, pass: Pass) => Effect | undefined;

/** Evidence is captured again after a candidate was built again or applied, under a name of its own. */
export const evidenceKey = ({ number, looks }: Pass): string =>
  `git:after:${number}${looks.length === 0 ? "" : `:${looks.length}`}`;

const mostLooks = 10;

const lookOf = (pass: Pass, moment: "before" | "last", expected: string): Effect => ({
  kind: "look_at_checkout",
  key: `look:${pass.number}:${pass.looks.length}`,
  pass: pass.number,
  moment,
  expected,
  paths: pass.captured?.patch?.changedPaths ?? [],
  since:
    moment === "before" ? null : (pass.looks.findLast((look) => look.moment === "before")?.whole ?? null),
});

export function nextForCandidate(run: Run, pass: Pass, judge: NextOf, apply: NextOf): Effect | undefined {
  const patch = pass.captured?.patch;
  const { commit, tree } = run.base;
  if (!patch || commit === null || tree === null) return undefined;
  const step = candidateStep(run, pass);
  switch (step) {
    case "judge":
      return judge(run, pass);
    case "look":
      return lookOf(pass, "before", patch.fromTree);
    case "rebuild":
    case "rebuild_both": {
      const key = `rebuild:${pass.number}:${pass.looks.length}`;
      const base = { commit, tree };
      const asItIs = step === "rebuild_both" ? { asItIs: true as const } : {};
      return { kind: "rebuild_candidate", key, pass: pass.number, base, patch, ...asItIs };
    }
    case "apply": {
      const effect = apply(run, pass);
      const count = pass.looks.length;
      // A file that is not tracked and never stands still must not hold the work up for ever.
      const whole = count > mostLooks ? null : (pass.looks.at(-1)?.whole ?? null);
      // Tried again after the checkout moved, it is another effect.
      return effect?.kind === "apply_patch"
        ? { ...effect, key: `${effect.key}:${count}`, exact: { whole } }
        : effect;
    }
    case "evidence":
      return { kind: "capture_git_evidence", key: evidenceKey(pass), moment: "after", pass: pass.number };
    case "look_last":
      return lookOf(pass, "last", patch.tree);
    default:
      return undefined;
  }
}
