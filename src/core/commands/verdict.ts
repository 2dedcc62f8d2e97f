// From findings to a verdict: the order of the classes, what is asked about, and the words for it.
import type { CommandClass, CommandVerdict, Span } from "../contract/index.ts";

export interface CommandFinding {
  readonly class: CommandClass;
  readonly why: string;
  readonly span: Span;
  /** Asked about even though its class alone would not be. */
  readonly gated: boolean;
}

/**
 * A part that cannot be parsed or named counts as destructive everywhere: it is asked about, and no policy frees it. Beside a
 * part that is known to be destructive, the known one gives the line its name.
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
    // When a milder part is what must be asked about, it is the one to explain.
    why: (top?.gated ? top.why : (gate?.why ?? top?.why)) ?? "There is nothing to run",
    parts,
  };
}
