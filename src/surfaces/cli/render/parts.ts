// The parts of `show` and `status` as text: gates, timeline, change, roles, and the runs of all repositories.
import { plainLine } from "../../../core/contract/index.ts";
import type { ShownFile, ShownPatch } from "../../../core/patch/index.ts";
import { describeManifest, type Home, type HomeGroup, type HomeRow } from "../../../operations/run-data/index.ts";
import { eventLine, patchText } from "./lines.ts";
import { gateTexts } from "./gate-text.ts";
import { sessionsText } from "./sessions-text.ts";
import { texts, type HoodView } from "./view.ts";

export const gate = texts<{ readonly runId: string }>(async ({ runId }, view) => {
  const gates = await gateTexts(runId, view);
  return gates.length === 0 ? `Run ${runId} has no open gate.\n` : gates.map(({ text }) => `${text}\n`).join("\n");
});

export const timeline = texts<{ readonly runId: string }>(async ({ runId }, view) => {
  await using runs = await view.context.ports.runs(view.context.folder);
  const lines = (await runs.events(runId)).flatMap((stored) => {
    const line = eventLine(stored, view.style, view.verbose);
    return line === null ? [] : [`${view.style.dim(new Date(stored.at).toISOString())} ${line}\n`];
  });
  return lines.join("");
});

interface Transfer {
  readonly runId: string;
  readonly waits: boolean;
  readonly manifest: unknown;
}

export const transfer = texts<Transfer>(({ runId, waits, manifest }) => {
  if (manifest === null) return `Run ${runId} has sent nothing to a provider and has nothing to send now.\n`;
  const head = waits ? "This is sent when you approve it:" : "The last transfer of this run:";
  return `${head}\n${describeManifest(JSON.stringify(manifest))}\n`;
});

const fileText = ({ path, from, change, binary, hunks }: ShownFile): string => {
  const moved = from === null ? "" : ` (from ${from})`;
  const bytes = binary === null ? "" : " (binary)";
  const lines = hunks.flatMap((hunk) => [
    `@@ -${hunk.old} +${hunk.new} @@ ${hunk.heading}`.trimEnd(),
    ...hunk.lines.map(([kind, text]) => `${kind}${text}`),
  ]);
  return [`${change} ${path}${moved}${bytes}`, ...lines, ""].join("\n");
};

export const changes = texts<ShownPatch>(({ files, added, removed, problems }, { style }) => {
  const head = `${files.length} ${files.length === 1 ? "file" : "files"} +${added} −${removed}\n`;
  const text = [...problems, ...files.map(fileText)].join("\n");
  return `${head}${patchText(new TextEncoder().encode(text), style)}\n`;
});

interface Roles {
  readonly cards?: readonly {
    readonly laneLabel: string;
    readonly assignment: string | null;
    readonly status: string;
    readonly calls: number;
    readonly tokens: number;
  }[];
  readonly roles?: readonly { readonly label: string; readonly assignment: string | null }[];
}

export const agents = texts<Roles>(({ cards = [], roles = [] }) =>
  [
    ...roles.map(({ label, assignment }) => `${label.padEnd(24)} ${assignment ?? "no agent"}\n`),
    ...cards.map(
      (card) =>
        `${card.laneLabel.padEnd(24)} ${(card.assignment ?? "no agent").padEnd(24)} ${card.status}, ${card.calls} ${card.calls === 1 ? "call" : "calls"}, ${card.tokens} tokens\n`,
    ),
  ].join(""),
);

const headings: Readonly<Record<HomeGroup, string>> = {
  waits: "Needs you",
  works: "Running",
  stopped: "Stopped",
  ended: "Ended",
};

const rowLine = (row: Pick<HomeRow, "runId" | "goal" | "repo">, why: string): string =>
  `  ${row.runId}  ${plainLine(row.goal, 80)}\n    ${plainLine(why, 160)}${why === "" ? "" : "  "}${row.repo}\n`;

export const home = texts<Home>(({ rows, sessions }, { style }) => {
  const groups = (Object.keys(headings) as HomeGroup[]).flatMap((group) => {
    const own = rows.filter((row) => row.group === group);
    const lines = own.map((row) => rowLine(row, row.why));
    return own.length === 0 ? [] : [`${style.bold(headings[group])}\n${lines.join("")}`];
  });
  return `${groups.length === 0 ? "No runs yet.\n" : groups.join("")}${sessionsText(sessions, style)}`;
});

type Waiting = Pick<HomeRow, "runId" | "goal" | "repo" | "risk"> & { readonly asks: string };

const risky = (risk: HomeRow["risk"], { style }: HoodView): string =>
  risk === null ? "" : `${risk === "high" ? style.red("high risk") : `${risk} risk`}: `;

export const approvals = texts<readonly Waiting[]>((rows, view) =>
  rows.length === 0
    ? "Nothing needs your decision.\n"
    : rows.map((row) => rowLine(row, `${risky(row.risk, view)}${row.asks}`)).join(""),
);
