// The patterns of the caller of which not one file is in a plan: what was named is sent, or the caller hears of it.
import { redact } from "../../core/secrets/index.ts";
import type { BundlePlan, ExclusionReason, Wanted } from "./shapes.ts";

export interface Missed {
  readonly given: string;
  /** A glob that found files, of which none is sent. */
  readonly glob: boolean;
  readonly reason: ExclusionReason | "no_file";
}

/** One line, whatever the name holds. */
const shown = (given: string): string => JSON.stringify(redact(given).text).slice(1, -1);

export function missedIn(plan: BundlePlan): Missed[] {
  const sent = new Set(plan.files.map(({ path }) => path));
  const open = plan.wanted.filter(({ paths }) => !paths.some((path) => sent.has(path)));
  if (open.length === 0) return [];
  const reasons = new Map(plan.excluded.map(({ path, reason }) => [path, reason]));
  return open.flatMap((wanted) => {
    const reason = reasonOf(wanted, reasons);
    // The caller's own `!pattern` left it out.
    return reason === "excluded_by_pattern"
      ? []
      : [{ given: shown(wanted.given), glob: wanted.glob, reason }];
  });
}

/** The first one that is no wish of the caller. A name that holds a secret is listed without it. */
function reasonOf({ paths, held }: Wanted, reasons: ReadonlyMap<string, ExclusionReason>): Missed["reason"] {
  const found = paths.flatMap((path) => reasons.get(path) ?? reasons.get(redact(path).text) ?? []);
  return found.find((reason) => reason !== "excluded_by_pattern") ?? held ?? found[0] ?? "no_file";
}
