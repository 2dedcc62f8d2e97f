// A gate on the screen: its sheet, and the answers it takes. Nothing is approved before the end of the sheet was on the screen.
import {
  extensionIn,
  type GateAnswer,
  plainText,
  type Suggestion,
  type TerminalSize,
} from "../../../contract/index.ts";
import type { Decided, LaidOpen } from "../../../operations/runs/index.ts";
import { type Line, line, piece, wrapText } from "../text/line.ts";
import { type Keys, lowest, pageLines, scrolled, whereText } from "../views/page.ts";
import { sheetLines } from "../views/sheet.ts";
import { type Desk, equals, type ScreenView } from "./desk.ts";

export interface GateOptions {
  readonly desk: Desk;
  readonly open: LaidOpen;
  readonly gate: LaidOpen["gates"][number];
  /** The answers that extend a budget at this gate, where it takes them. */
  readonly extension?: Extract<Suggestion, { suggest: "answer" }> | undefined;
  /** The decision is only recorded: the caller moves the run. */
  readonly recordOnly: boolean;
  decided(decided: Decided): void;
  later(): void;
}

interface Answer {
  readonly key: string;
  readonly word: string;
  readonly operation: "approve" | "revise" | "reject" | "abort";
  readonly input?: object;
}

/** The key and the command of each answer. */
const answers: Readonly<Record<GateAnswer, Answer>> = {
  approve: { key: "a", word: "approve", operation: "approve" },
  accept: { key: "t", word: "take as it is", operation: "approve", input: { accept: true } },
  retry: { key: "s", word: "send again", operation: "approve", input: { retry: true } },
  extend: { key: "e", word: "extend the budget", operation: "approve" },
  revise: { key: "r", word: "revise", operation: "revise" },
  reject: { key: "x", word: "reject", operation: "reject" },
  abort: { key: "A", word: "abort", operation: "abort" },
};

/** Answers that let something happen: they need the whole sheet. */
const passing: readonly GateAnswer[] = ["approve", "accept", "retry", "extend"];

interface Asking {
  readonly answer: GateAnswer;
  /** Words that must be typed; null where y is enough. */
  readonly phrase: string | null;
  typed: string;
}

const revisionHelp =
  "\n# Say what should be different. Lines that begin with # are left out; an empty text changes nothing.\n";

const writtenWords = (text: string | null): string =>
  (text ?? "")
    .split("\n")
    .filter((one) => !one.startsWith("#"))
    .join("\n")
    .trim();

export function createGateView({
  desk,
  open,
  gate,
  extension,
  recordOnly,
  decided,
  later,
}: GateOptions): ScreenView {
  const { runId } = open;
  let top = 0;
  let seenEnd = false;
  let asking: Asking | undefined;
  let busy = false;
  let drawn: { columns: number; lines: readonly Line[] } | undefined;
  const linesFor = (columns: number): readonly Line[] => {
    if (drawn?.columns !== columns) drawn = { columns, lines: sheetLines(gate, open, columns) };
    return drawn.lines;
  };
  const suggestion = (answer: GateAnswer): Suggestion =>
    answer === "abort"
      ? { suggest: "abort", runId }
      : {
          ...extension,
          suggest: "answer",
          answer,
          runId,
          gateId: gate.id,
          ...(passing.includes(answer) ? { phrase: gate.phrase } : {}),
        };

  async function decide(answer: GateAnswer, message: string): Promise<void> {
    busy = true;
    const { operation, input = {} } = answers[answer];
    const budget = answer === "extend" && extension ? extensionIn(extension) : {};
    const words =
      operation === "abort"
        ? { runId, reason: message }
        : {
            runId,
            message,
            gate: gate.id,
            noContinue: recordOnly,
            sha256: gate.sha256,
            waitSeconds: 0,
            ...budget,
            ...input,
          };
    const done = await desk.act<Decided>(operation, words);
    busy = false;
    asking = undefined;
    if (done) decided(done);
    desk.redraw();
  }

  async function revise(): Promise<void> {
    const written = writtenWords(await desk.edit(revisionHelp));
    if (written === "") return desk.say(line("Nothing was written: the gate stays as it is."));
    await decide("revise", written);
  }

  function ask(answer: GateAnswer): void {
    if (passing.includes(answer) && !seenEnd) {
      desk.say(
        line(
          piece("Scroll to the end first: ", "ask"),
          "what you approve must have been on the screen. (space, end)",
        ),
      );
      return;
    }
    if (answer === "revise") {
      desk.say(equals(desk.spell(suggestion(answer))));
      void revise();
      return;
    }
    asking = { answer, phrase: passing.includes(answer) ? gate.phrase : null, typed: "" };
  }

  function reply(key: string, { answer, phrase, typed }: Asking): void {
    if (key === "escape" || (phrase === null && (key === "n" || key === "q"))) asking = undefined;
    else if (phrase === null) {
      if (key === "y") void decide(answer, "");
    } else if (key === "enter") {
      if (typed.trim() === phrase) void decide(answer, typed.trim());
      else desk.say(line(piece(`That is not: ${phrase}`, "bad")));
    } else if (key === "backspace") asking = { answer, phrase, typed: typed.slice(0, -1) };
    else if ([...key].length === 1) asking = { answer, phrase, typed: typed + key };
  }

  const keys = (): Keys => {
    if (asking?.phrase)
      return [
        ["enter", "decide"],
        ["escape", "not now"],
      ];
    if (asking)
      return [
        ["y", answers[asking.answer].word],
        ["n", "not now"],
      ];
    return [
      ...gate.answers.map((answer) => [answers[answer].key, answers[answer].word] as const),
      ["l", "later"],
      ["o", "browser"],
      ["↑↓", "scroll"],
      ["?", "help"],
    ];
  };

  function note(lines: number, size: TerminalSize): Line {
    if (busy) return line(piece("…", "dim"));
    if (asking?.phrase)
      return line(piece(`To decide, type ${asking.phrase}: `, "ask"), asking.typed, piece("▏", "ask"));
    if (asking)
      return line(
        piece(`${answers[asking.answer].word}? y or n  `, "ask"),
        ...equals(desk.spell(suggestion(asking.answer))),
      );
    const said = desk.said();
    if (said.length > 0) return said;
    const where = whereText(top, lines, size);
    return seenEnd ? line(piece(where, "dim")) : line(piece(`${where}; scroll to the end to approve`, "ask"));
  }

  return {
    frame(size) {
      const lines = linesFor(size.columns);
      const limit = lowest(lines.length, size);
      top = Math.min(top, limit);
      seenEnd ||= top >= limit;
      return pageLines(
        {
          title: line(piece("Your decision", "bold"), piece(`  ${runId}`, "dim")),
          aside: line(piece(`sha256 ${gate.sha256.slice(0, 12)}`, "dim")),
          body: lines,
          top,
          note: note(lines.length, size),
          keys: keys(),
        },
        size,
      );
    },
    key(key, size) {
      if (busy) return;
      if (asking) return reply(key, asking);
      const moved = scrolled(top, key, linesFor(size.columns).length, size);
      if (moved !== undefined) top = moved;
      else if (["l", "q", "escape"].includes(key)) later();
      else if (key === "o") desk.browse(runId);
      else {
        const found = gate.answers.find((answer) => answers[answer].key === key);
        if (found) ask(found);
      }
    },
  };
}

/** A text over several lines, for views that show one. */
export const textLines = (text: string, columns: number): readonly Line[] =>
  wrapText(plainText(text), columns, "plain", "  ");
