// From findings to a verdict: the order of the classes, which of them need approval, and the reason that is shown.
import type { CommandClass, CommandVerdict, Span } from "../contract/index.ts";

export interface CommandFinding {
  readonly class: CommandClass;
  readonly why: string;
  readonly span: Span;
  /** Needs approval, even if its class alone would not. */
  readonly gated: boolean;
}

/**
 * A part that cannot be parsed or named is treated as destructive: it always needs approval, and no policy allows it. If
 * another part is known to be destructive, that part determines the class of the line.
 */
const order: readonly CommandClass[] = [
  "read_only",
  "local_write",
  "network",
  "dependency_install",
  "unknown",
  "destructive",
  "credential_sensitive",
];

export const severity = (name: CommandClass) => order.indexOf(name);
export const isGatedClass = (name: CommandClass) => severity(name) > severity("local_write");

const partLimit = 24;

export function settleVerdict(line: string, findings: readonly CommandFinding[]): CommandVerdict {
  const sorted = findings
    .map((finding, index) => ({ finding, index }))
    .sort(
      (a, b) =>
        severity(b.finding.class) - severity(a.finding.class) ||
        Number(b.finding.gated) - Number(a.finding.gated) ||
        a.index - b.index,
    )
    .map(({ finding }) => finding);
  const seen = new Set<string>();
  const parts = sorted
    .filter(({ class: name, why, span }) => {
      const key = `${name} ${span.start} ${span.end} ${why}`;
      return !seen.has(key) && seen.add(key);
    })
    .slice(0, partLimit)
    .map(({ class: name, why, span }) => ({
      class: name,
      why,
      span,
      text: line.slice(span.start, span.end),
    }));
  const gate = sorted.find((finding) => finding.gated);
  const top = sorted[0];
  return {
    class: top?.class ?? "read_only",
    gated: gate !== undefined,
    // If only a milder part needs approval, its reason is shown.
    why: (top?.gated ? top.why : (gate?.why ?? top?.why)) ?? "There is nothing to run",
    parts,
  };
}
