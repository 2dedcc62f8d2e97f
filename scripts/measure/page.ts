// The page docs/measured.md: each set in one line, both directions, beside what others publish.
import type { Count, Measured } from "./count.ts";

const share = ({ hits, all }: Count) => `${hits} of ${all} (${all === 0 ? 0 : Math.round((hits / all) * 100)} %)`;

function found({ counts, values }: Measured): string {
  if (values.all > 0) return `${share(values)} values`;
  return counts.must.all === 0 ? "–" : share(counts.must);
}

const needless = ({ counts }: Measured) => (counts.free.all === 0 ? "–" : share(counts.free));

function remarks({ set, counts }: Measured): string {
  const apart = counts.apart.all > 0 ? [`apart: ${share(counts.apart)}`] : [];
  return [...(set.others ? [set.others] : []), ...(set.note ? [set.note] : []), ...apart].join("; ") || "–";
}

const row = (one: Measured) =>
  `| ${one.set.name} | ${one.set.source} | ${found(one)} | ${needless(one)} | ${remarks(one)} |`;

/** The names of missed cases, so that a loss can be read. */
const mostNamed = 200;
function losses({ set, missed }: Measured): string[] {
  if (missed.length === 0) return [];
  const more = missed.length > mostNamed ? ` and ${missed.length - mostNamed} more` : "";
  return [
    `- ${set.name}: ${missed
      .slice(0, mostNamed)
      .map((id) => `\`${id}\``)
      .join(", ")}${more}`,
  ];
}

const head = (what: string) => [
  `| set | source | ${what} | clean or honest, and still found or asked about | others and remarks |`,
  "|---|---|---|---|---|",
];

export function page(
  results: readonly Measured[],
  own: readonly Measured[],
  at: { date: string; commit: string },
): string {
  const of = (judge: string) => results.filter(({ set }) => set.judge === judge);
  return `${[
    "# Measured on other people's data",
    "",
    `Written by \`npm run measure -- FOLDER…\` on ${at.date} at commit ${at.commit}. Nothing is fetched: you point it at folders with`,
    "the sets as JSON lines, in the form that `thehood check … --jsonl` reads, each line with the `label` of its source. The ids",
    "behind the names are the commits that we used. A label of a source is not always our verdict; the remarks say where we",
    "differ. The figures below are of one half of each set; the other half is kept for checking.",
    "",
    "## Secrets",
    "",
    ...head("found"),
    ...of("secrets").map(row),
    "",
    "## Commands",
    "",
    "`--where machine` unless the name says otherwise.",
    "",
    ...head("dangerous, and asked about"),
    ...of("command").map(row),
    "",
    "## Our own sets",
    "",
    ...head("dangerous, and asked about"),
    ...own.map(row),
    "",
    "## Losses",
    "",
    "The cases that are missed, by the names that their sources give them.",
    "",
    ...[...results, ...own].flatMap(losses),
  ].join("\n")}\n`;
}
