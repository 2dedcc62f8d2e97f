// What doctor found, in ten rows: the verdict with one command, the agents, the machine, the checks, and what is in the way.
import { dollars, type DoctorCheck } from "../../../core/contract/index.ts";
import type { AskedAgent } from "../../../core/contract/setup/index.ts";
import type { DoctorReport } from "../../../operations/index.ts";
import { fitLine, line, piece, textOf, type Line, type Piece } from "../../terminal/print/index.ts";
import { texts } from "./view.ts";

type Agent = DoctorReport["agents"][number];

const isProgram = ({ program }: Agent): boolean => program;

/** A remedy names the command first: `Log in with: claude auth login; or set …`. */
const commandIn = (remedy: string | null): string =>
  (remedy ?? "")
    .split(";")[0]
    ?.replace(/^[^:]*: /, "")
    .trim() ?? "";

/** Installed and not logged in is nearer than not installed. */
function nearest(agents: readonly Agent[]): Agent | undefined {
  const programs = agents.filter(isProgram);
  return (
    programs.find(({ installed, login }) => installed && login === "missing") ??
    programs.find(({ installed, usable }) => installed && usable !== "yes") ??
    programs.find(({ installed }) => !installed)
  );
}

function verdict({ checks, agents }: DoctorReport): Line[] {
  const blocked = checks.find(({ state }) => state === "blocker");
  if (!blocked) {
    return [line(piece("✔ Ready.", "good"), piece('  thehood run "what you want done"', "info"))];
  }
  const near = blocked.name === "crew" && blocked.role === undefined ? nearest(agents) : undefined;
  if (!near)
    return [line(piece("✘ Not ready: ", "bad"), blocked.detail), line(piece(`  → ${blocked.remedy ?? ""}`, "info"))];
  const why = near.installed
    ? near.login === "missing"
      ? `${near.id} is installed, but not logged in.`
      : `${near.problem ?? `${near.id} cannot be used.`}`
    : "no agent is installed.";
  return [
    line(piece(`✘ Not ready: ${why}`, "bad"), piece(`  → ${commandIn(near.remedy)}`, "info")),
    line(piece("  without a model: ", "dim"), piece("thehood demo", "info")),
  ];
}

function askedPiece({ id, answered, ms, tokens, usd }: AskedAgent): Piece[] {
  if (!answered) return [piece(`${id} `), piece("✘ gave no answer", "bad")];
  const cost = [...(tokens === null ? [] : [`${tokens} tokens`]), ...(usd === null ? [] : [dollars(usd)])].join(", ");
  return [
    piece(`${id} `),
    piece("✔", "good"),
    piece(` logged in: answered in ${(ms / 1_000).toFixed(1)} s${cost === "" ? "" : ` (${cost})`}`, "dim"),
  ];
}

function agentPiece({ id, usable, installed, login, problem }: Agent): Piece[] {
  if (usable === "yes")
    return [piece(`${id} `), piece("✔", "good"), piece(login === "present" ? " login found" : "", "dim")];
  if (!installed) return [piece(`${id} –`, "dim")];
  if (login === "missing") return [piece(`${id} `), piece("not logged in", "ask")];
  return [piece(`${id} `), problem === null ? piece("?", "ask") : piece("cannot be used", "bad")];
}

/** Programs always, keys and pages where they can be used. */
function agentsRow({ agents, asked = [] }: DoctorReport): Line {
  const pieceOf = (one: Agent): Piece[] => {
    const answer = asked.find(({ id }) => id === one.id);
    return answer ? askedPiece(answer) : agentPiece(one);
  };
  const shown = agents.filter((one) => one.id !== "stub" && (isProgram(one) || one.usable === "yes"));
  return row(
    "agents",
    shown.flatMap((one, at) => [piece(at > 0 ? "   " : ""), ...pieceOf(one)]),
  );
}

const row = (name: string, pieces: readonly Piece[]): Line => line(piece(`  ${name.padEnd(9)}`, "dim"), ...pieces);

const marks = {
  ok: piece("✔", "good"),
  note: piece("·", "dim"),
  warning: piece("◆", "ask"),
  blocker: piece("✘", "bad"),
};

const machine = ["sandbox", "git", "disk", "store", "node"];

function machineRow({ checks }: DoctorReport): Line {
  const found = machine.flatMap((name) => checks.find((one) => one.name === name) ?? []);
  const detail: Readonly<Record<string, (text: string) => string>> = {
    disk: (text) => ` ${text.replace(/(\d+) MB free/, (_, mb: string) => `${Math.round(Number(mb) / 1_024)} GB`)}`,
    store: (text) => ` ${(/^\d+ runs/.exec(text)?.[0] ?? "").replace(/^1 runs/, "1 run")}`,
  };
  return row(
    "machine",
    found.flatMap(({ name, state, detail: text }, at) => [
      piece(`${at > 0 ? "   " : ""}${name} `),
      marks[state],
      piece(state === "ok" ? (detail[name]?.(text) ?? "") : "", "dim"),
    ]),
  );
}

const resultMarks = { passed: piece("✔", "good"), failed: piece("✘", "bad"), unknown: piece("?", "ask") };

function checksRow({ checks }: DoctorReport): Line[] {
  const found = checks.filter(({ result }) => result !== undefined);
  if (found.length === 0) return [];
  const unknown = found.some(({ result }) => result === "unknown");
  const pieces = found.flatMap(({ name, result = "unknown", ms, state }, at) => [
    piece(`${at > 0 ? "   " : ""}${name} `),
    state === "warning" ? piece("cannot run", "ask") : resultMarks[result],
    piece(
      ms === undefined ? (result === "unknown" && state === "ok" ? " never run" : "") : ` ${(ms / 1_000).toFixed(1)} s`,
      "dim",
    ),
  ]);
  return [row("checks", [...pieces, piece(unknown ? "   thehood checks test" : "", "info")])];
}

/** What is neither in a row above nor in the verdict. */
function others({ checks, agents }: DoctorReport): DoctorCheck[] {
  const blocked = checks.find(({ state }) => state === "blocker");
  const known = new Set(agents.map(({ id }) => id));
  const rest = checks.filter((one) => one.state !== "ok" && one !== blocked && !known.has(one.name));
  // One agent in several roles has one trouble.
  const shown = new Set(blocked ? [`${blocked.name} ${blocked.remedy}`] : []);
  return rest.filter(({ name, remedy }) => {
    const key = `${name} ${remedy}`;
    const isNew = name !== "crew" || remedy === null || !shown.has(key);
    shown.add(key);
    return isNew;
  });
}

const mostRows = 10;

export function doctorLines(report: DoctorReport): readonly Line[] {
  const rows = [...verdict(report), agentsRow(report), machineRow(report), ...checksRow(report)];
  const rest = others(report).map(({ name, state, detail, remedy }) =>
    line("  ", marks[state], ` ${name}: ${detail}`, piece(remedy ? ` → ${remedy}` : "", "dim")),
  );
  const room = mostRows - rows.length - 1;
  const cut = rest.slice(0, rest.length > room ? room - 1 : room);
  const more = rest.length - cut.length;
  return [
    ...rows,
    ...cut,
    line(piece(`  ${more > 0 ? `${more} more and everything` : "everything"}: thehood doctor --verbose`, "dim")),
  ];
}

const signs = { ok: "✔", note: "·", warning: "◆", blocker: "✘" } as const;

/** Every row with its remedy. */
const wholeText = ({ version, node, checks }: DoctorReport): string =>
  `thehood ${version} on Node ${node}\n${checks
    .map(
      ({ name, state, detail, remedy, result }) =>
        `${result === "unknown" && state === "ok" ? "?" : signs[state]} ${name.padEnd(16)} ${detail}${remedy ? `\n    → ${remedy}` : ""}\n`,
    )
    .join("")}`;

export const doctor = texts<DoctorReport>((report, { io, verbose }) => {
  if (verbose) return wholeText(report);
  // A pipe has no width.
  const columns = io.terminal ? Math.max(40, io.columns) : 100_000;
  return `${textOf(
    doctorLines(report).map((one) => fitLine(one, columns)),
    io.color,
  )}\n`;
});
