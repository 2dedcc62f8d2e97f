// The question before an answer is recorded. It names what happens; `y` answers it. What cannot be undone takes one short
// word, which is shown while it is typed. The phrase that programs need is sent by the screen.
import type { GateAnswer } from "../../../core/contract/index.ts";
import type { Decided } from "../../../operations/run-data/index.ts";
import { type Line, line, piece } from "../text/line.ts";
import type { Keys } from "../views/page.ts";
import { equals } from "./view.ts";
import { readSendBack, sendBackDraft } from "./send-back.ts";
import { answerKeys, answers, type GateOptions, inputOf, passing, suggestionOf } from "./gate-answers.ts";

interface Asking {
  readonly answer: GateAnswer;
  /** The word that must be typed; null if y is enough. */
  readonly word: string | null;
  readonly typed: string;
  /** Enter was pressed on another text. */
  readonly wrong?: true;
}

export interface GateQuestion {
  ask(answer: GateAnswer): void;
  /** Records an answer without a question. */
  decideNow(answer: GateAnswer): void;
  /** Whether typed characters are text. */
  typing(): boolean;
  /** True if the key belongs to an open question, or while an answer is being recorded. */
  takes(key: string): boolean;
  /** The keys of the open question; undefined when none is open. */
  keys(): Keys | undefined;
  /** The line above the keys; undefined when no question is open. */
  note(): Line | undefined;
}

const keysOf = ({ answer, word }: Asking, gate: GateOptions["gate"]): Keys =>
  word
    ? [
        ["enter", "decide"],
        ["escape", "not now"],
      ]
    : [
        ["y", answerKeys(gate).find((one) => one.answer === answer)?.word ?? "yes"],
        ["n", "not now"],
      ];

/** What was typed comes before the rest of the word, so that a narrow screen shows it. */
function wordLine(question: string, word: string, { typed, wrong }: Asking): Line {
  const cursor = piece("▏", "ask");
  if (wrong) return line(piece(`“${typed}” is not ${word}. Type ${word}, or escape: `, "bad"), cursor);
  const fits = word.startsWith(typed);
  return line(
    piece(`Type ${word}: `, "ask"),
    piece(typed, fits ? "bold" : "bad"),
    cursor,
    piece(fits ? word.slice(typed.length) : "", "dim"),
    piece(`  ${question}`, "dim"),
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
    const written = readSendBack(await deps.edit(sendBackDraft(gate)));
    if (written === "") return deps.showNote(line("Nothing was written: the gate stays as it is."));
    await decide("revise", written);
  }

  /** R-61 takes an answer only with its phrase: the person saw the question that says what it means. */
  const phraseFor = (answer: GateAnswer): string => (passing.includes(answer) ? (gate.phrase ?? "") : "");

  function reply(key: string, { answer, word, typed, wrong }: Asking): void {
    if (key === "escape" || (word === null && (key === "n" || key === "q"))) asking = undefined;
    else if (word === null) {
      if (key === "y") void decide(answer, phraseFor(answer));
    } else if (key === "enter") {
      if (typed.trim() === word) void decide(answer, phraseFor(answer));
      else asking = { answer, word, typed, wrong: true };
    } else if (key === "ctrl-u") asking = { answer, word, typed: "" };
    else if (key === "backspace") asking = { answer, word, typed: typed.slice(0, -1) };
    else if ([...key].length === 1) asking = { answer, word, typed: wrong ? key : typed + key };
  }

  return {
    ask(answer) {
      if (answer === "revise") {
        deps.showNote(command(answer));
        void revise();
      } else asking = { answer, word: passing.includes(answer) ? (gate.summary?.word ?? null) : null, typed: "" };
    },
    decideNow: (answer) => void decide(answer, phraseFor(answer)),
    typing: () => (asking?.word ?? null) !== null,
    takes(key) {
      if (!busy && asking) {
        reply(key, asking);
        return true;
      }
      return busy;
    },
    keys: () => (asking ? keysOf(asking, gate) : undefined),
    note() {
      if (busy) return line(piece("…", "dim"));
      if (!asking) return undefined;
      const { answer, word } = asking;
      const question = gate.summary?.questions[answer] ?? `${answers[answer].word}?`;
      return word === null
        ? line(piece(`${question} `, "ask"), piece("y/n", "bold"))
        : wordLine(question, word, asking);
    },
  };
}
