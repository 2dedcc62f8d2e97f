// The question before an answer is recorded: the user types the phrase, presses y or n, or writes a revision.
import type { GateAnswer } from "../../../core/contract/index.ts";
import type { Decided } from "../../../operations/run-data/index.ts";
import { type Line, line, piece } from "../text/line.ts";
import type { Keys } from "../views/page.ts";
import { equals } from "./view.ts";
import { answers, type GateOptions, inputOf, passing, suggestionOf } from "./gate-answers.ts";

interface Asking {
  readonly answer: GateAnswer;
  /** The text that must be typed; null if y is enough. */
  readonly phrase: string | null;
  readonly typed: string;
  /** Enter was pressed on another text. */
  readonly wrong?: true;
}

export interface GateQuestion {
  ask(answer: GateAnswer): void;
  /** True if the key belongs to an open question, or while an answer is being recorded. */
  takes(key: string): boolean;
  /** The keys of the open question; undefined when none is open. */
  keys(): Keys | undefined;
  /** The line above the keys; undefined when no question is open. */
  note(): Line | undefined;
}

const revisionHelp =
  "\n# Write what should be different. Lines that begin with # are ignored; an empty text changes nothing.\n";

const revisionText = (text: string | null): string =>
  (text ?? "")
    .split("\n")
    .filter((one) => !one.startsWith("#"))
    .join("\n")
    .trim();

const keysOf = ({ answer, phrase }: Asking): Keys =>
  phrase
    ? [
        ["enter", "decide"],
        ["escape", "not now"],
      ]
    : [
        ["y", answers[answer].word],
        ["n", "not now"],
      ];

/** What was typed comes before the rest of the phrase, so that a narrow screen shows it. */
function phraseLine(phrase: string, { typed, wrong }: Asking): Line {
  const cursor = piece("▏", "ask");
  if (wrong) return line(piece("Not the same: ", "bad"), typed, cursor, piece(" instead of ", "bad"), phrase);
  if (typed === "") return line(piece("To decide, type ", "ask"), piece(phrase, "bold"), piece(": ", "ask"), cursor);
  const rest = phrase.startsWith(typed) ? phrase.slice(typed.length) : ` (type: ${phrase})`;
  return line(
    piece("Type: ", "ask"),
    piece(typed, phrase.startsWith(typed) ? "bold" : "bad"),
    cursor,
    piece(rest, "dim"),
  );
}

export function createGateQuestion(options: GateOptions): GateQuestion {
  const { deps, gate, decided } = options;
  let asking: Asking | undefined;
  let busy = false;
  const command = (answer: GateAnswer): Line => equals(deps.spell(suggestionOf(answer, options)));

  async function decide(answer: GateAnswer, message: string): Promise<void> {
    busy = true;
    const done = await deps.act<Decided>(answers[answer].operation, inputOf(answer, message, options));
    busy = false;
    asking = undefined;
    if (done) decided(done);
    deps.redraw();
  }

  async function revise(): Promise<void> {
    const written = revisionText(await deps.edit(revisionHelp));
    if (written === "") return deps.showNote(line("Nothing was written: the gate stays as it is."));
    await decide("revise", written);
  }

  function reply(key: string, { answer, phrase, typed }: Asking): void {
    if (key === "escape" || (phrase === null && (key === "n" || key === "q"))) asking = undefined;
    else if (phrase === null) {
      if (key === "y") void decide(answer, "");
    } else if (key === "enter") {
      if (typed.trim() === phrase) void decide(answer, typed.trim());
      else asking = { answer, phrase, typed, wrong: true };
    } else if (key === "ctrl-u") asking = { answer, phrase, typed: "" };
    else if (key === "backspace") asking = { answer, phrase, typed: typed.slice(0, -1) };
    else if ([...key].length === 1) asking = { answer, phrase, typed: typed + key };
  }

  return {
    ask(answer) {
      if (answer === "revise") {
        deps.showNote(command(answer));
        void revise();
      } else asking = { answer, phrase: passing.includes(answer) ? gate.phrase : null, typed: "" };
    },
    takes(key) {
      if (!busy && asking) {
        reply(key, asking);
        return true;
      }
      return busy;
    },
    keys: () => (asking ? keysOf(asking) : undefined),
    note() {
      if (busy) return line(piece("…", "dim"));
      if (!asking) return undefined;
      const { answer, phrase } = asking;
      return phrase
        ? phraseLine(phrase, asking)
        : line(piece(`${answers[answer].word}? y or n  `, "ask"), ...command(answer));
    },
  };
}
