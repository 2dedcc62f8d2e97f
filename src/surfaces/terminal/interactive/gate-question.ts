// The question before an answer is recorded: the person types the phrase, says y or n, or writes a revision.
import type { GateAnswer } from "../../../core/contract/index.ts";
import type { Decided } from "../../../operations/run-data/index.ts";
import { type Line, line, piece } from "../text/line.ts";
import type { Keys } from "../views/page.ts";
import { equals } from "./desk.ts";
import { answers, type GateOptions, inputOf, passing, suggestionOf } from "./gate-answers.ts";

interface Asking {
  readonly answer: GateAnswer;
  /** Words that must be typed; null where y is enough. */
  readonly phrase: string | null;
  readonly typed: string;
}

export interface GateQuestion {
  ask(answer: GateAnswer): void;
  /** True when the key belonged to an open question, or an answer is being recorded. */
  takes(key: string): boolean;
  /** The keys of the open question; undefined when none is open. */
  keys(): Keys | undefined;
  /** The line above the keys; undefined when no question is open. */
  note(): Line | undefined;
}

const revisionHelp =
  "\n# Say what should be different. Lines that begin with # are left out; an empty text changes nothing.\n";

const writtenWords = (text: string | null): string =>
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

export function createGateQuestion(options: GateOptions): GateQuestion {
  const { desk, gate, decided } = options;
  let asking: Asking | undefined;
  let busy = false;
  const command = (answer: GateAnswer): Line => equals(desk.spell(suggestionOf(answer, options)));

  async function decide(answer: GateAnswer, message: string): Promise<void> {
    busy = true;
    const done = await desk.act<Decided>(answers[answer].operation, inputOf(answer, message, options));
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

  function reply(key: string, { answer, phrase, typed }: Asking): void {
    if (key === "escape" || (phrase === null && (key === "n" || key === "q"))) asking = undefined;
    else if (phrase === null) {
      if (key === "y") void decide(answer, "");
    } else if (key === "enter") {
      if (typed.trim() === phrase) void decide(answer, typed.trim());
      else desk.say(line(piece(`That is not “${phrase}”.`, "bad")));
    } else if (key === "backspace") asking = { answer, phrase, typed: typed.slice(0, -1) };
    else if ([...key].length === 1) asking = { answer, phrase, typed: typed + key };
  }

  return {
    ask(answer) {
      if (answer === "revise") {
        desk.say(command(answer));
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
      const { answer, phrase, typed } = asking;
      return phrase
        ? line(
            piece("To decide, type ", "ask"),
            piece(phrase, "bold"),
            piece(": ", "ask"),
            typed,
            piece("▏", "ask"),
          )
        : line(piece(`${answers[answer].word}? y or n  `, "ask"), ...command(answer));
    },
  };
}
