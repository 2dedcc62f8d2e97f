// The question before an answer is recorded. It names what happens; `y` answers it. What cannot be undone takes one short
// word, which is shown while it is typed. The phrase that programs need is sent by the screen.
import { plainLine, type GateAnswer } from "../../../core/contract/index.ts";
import type { GateDelivery } from "../../../operations/index.ts";
import type { Decided, GateDetails } from "../../../operations/run-data/index.ts";
import { type Line, line, piece } from "../text/line.ts";
import type { Keys } from "../views/page.ts";
import { equals } from "./view.ts";
import { readRestated, restateDraft } from "./restate.ts";
import { readSendBack, sendBackDraft } from "./send-back.ts";
import { answerKeys, answers, type GateOptions, inputOf, passing, suggestionOf } from "./gate-answers.ts";

interface Asking {
  readonly answer: GateAnswer;
  /** The word that must be typed; null if y is enough. */
  readonly word: string | null;
  readonly typed: string;
  /** Enter was pressed on another text. */
  readonly wrong?: true;
  readonly delivery?: GateDelivery;
  /** The text that is typed is the name of the branch; the question comes after it. */
  readonly naming?: true;
}

export interface GateQuestion {
  ask(answer: GateAnswer): void;
  /** Asks for the name of a branch, and then whether the work goes there. */
  deliver(key: "b" | "p"): void;
  /** Lets the person write another goal and other criteria, and asks whether the run starts with them. */
  restate(): void;
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

const keysOf = ({ answer, word, naming, delivery }: Asking, gate: GateOptions["gate"]): Keys =>
  word || naming
    ? [
        ["enter", naming ? "go on" : "decide"],
        ["escape", "not now"],
      ]
    : [
        ["y", delivery?.toBranch ? "yes" : (answerKeys(gate).find((one) => one.answer === answer)?.word ?? "yes")],
        ["n", "not now"],
      ];

/** `Commit 2 files on the new branch fix, push it to origin (URL), open a draft pull request?` */
function deliveryQuestion(
  { gate: { summary }, open: { pushesTo } }: Pick<GateOptions, "gate" | "open">,
  { toBranch = "", pullRequest }: GateDelivery,
): string | undefined {
  const offer = summary?.branch;
  if (!offer || toBranch === "") return undefined;
  const to = pushesTo ? ` to ${pushesTo.remote} (${pushesTo.url})` : "";
  const then = pullRequest
    ? `, push it${to}, open a draft pull request${pushesTo?.into ? ` in ${pushesTo.into}` : ""}`
    : "";
  return `Commit ${offer.files} on the new branch ${toBranch}${then}${offer.rest}`;
}

/** `Start with your goal and 2 criteria?` */
function restatedQuestion({ goal, acceptanceCriteria }: GateDelivery): string | undefined {
  if (goal === undefined && acceptanceCriteria === undefined) return undefined;
  const count = acceptanceCriteria?.length ?? 0;
  const named = [
    ...(goal === undefined ? [] : [`your goal “${plainLine(goal, 60)}”`]),
    ...(count === 0 ? [] : [count === 1 ? "1 criterion" : `${count} criteria`]),
  ];
  return `Start with ${named.join(" and ")}?`;
}

const namingLine = ({ typed, delivery }: Asking): Line =>
  line(
    piece(delivery?.pullRequest ? "Pull request from the new branch: " : "New branch: ", "ask"),
    piece(typed, "bold"),
    piece("▏", "ask"),
    piece("  ctrl-u clears", "dim"),
  );

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
  const { deps, open, gate, decided, delivery: wanted } = options;
  let asking: Asking | undefined;
  let busy = false;
  const command = (answer: GateAnswer): Line => equals(deps.spell(suggestionOf(answer, options)));

  async function decide(answer: GateAnswer, message: string, delivery?: GateDelivery): Promise<void> {
    busy = true;
    const done = await deps.act<Decided>(answers[answer].operation, inputOf(answer, message, options, delivery));
    busy = false;
    asking = undefined;
    if (done) decided(done);
    else if (await isGone()) await options.reopen?.();
    deps.redraw();
  }

  /** Somebody answered it meanwhile on another screen: this one is old. */
  async function isGone(): Promise<boolean> {
    const now = await deps.act<GateDetails>("gate", { runId: open.runId });
    return now !== undefined && !now.gates.some(({ id }) => id === gate.id);
  }

  async function restate(): Promise<void> {
    const criteria = gate.summary?.start?.criteria ?? [];
    const changed = readRestated(await deps.edit(restateDraft(open.goal, criteria)), open.goal, criteria);
    if (!changed) return deps.showNote(line("Nothing was changed: the gate stays as it is."));
    asking = { answer: "approve", word: wordFor("approve"), typed: "", delivery: changed };
    deps.redraw();
  }

  async function revise(): Promise<void> {
    const written = readSendBack(await deps.edit(sendBackDraft(gate)));
    if (written === "") return deps.showNote(line("Nothing was written: the gate stays as it is."));
    await decide("revise", written);
  }

  /** R-61 takes an answer only with its phrase: the person saw the question that says what it means. */
  const phraseFor = (answer: GateAnswer): string => (passing.includes(answer) ? (gate.phrase ?? "") : "");

  const wordFor = (answer: GateAnswer): string | null =>
    passing.includes(answer) ? (gate.summary?.word ?? null) : null;

  /** A branch that has no name yet is asked for, with one from the goal to begin with. */
  function deliver(delivery: GateDelivery): void {
    const typed = gate.summary?.branch?.name ?? "";
    asking =
      delivery.toBranch === undefined
        ? { answer: "approve", word: null, typed, delivery, naming: true }
        : { answer: "approve", word: wordFor("approve"), typed: "", delivery };
  }

  function name(key: string, open: Asking): void {
    const typed = open.typed.trim();
    const toBranch = { ...open.delivery, toBranch: typed };
    if (key === "escape") asking = undefined;
    else if (key === "enter" && typed !== "")
      asking = { answer: open.answer, word: wordFor(open.answer), typed: "", delivery: toBranch };
    else if (key === "ctrl-u") asking = { ...open, typed: "" };
    else if (key === "backspace") asking = { ...open, typed: open.typed.slice(0, -1) };
    else if ([...key].length === 1) asking = { ...open, typed: open.typed + key };
  }

  function reply(key: string, open: Asking): void {
    const { answer, word, typed, wrong, delivery, naming } = open;
    if (naming) return name(key, open);
    if (key === "escape" || (word === null && (key === "n" || key === "q"))) asking = undefined;
    else if (word === null) {
      if (key === "y") void decide(answer, phraseFor(answer), delivery);
    } else if (key === "enter") {
      if (typed.trim() === word) void decide(answer, phraseFor(answer), delivery);
      else asking = { ...open, wrong: true };
    } else if ([...key].length === 1 || key === "ctrl-u" || key === "backspace") {
      const kept = key === "backspace" ? typed.slice(0, -1) : key === "ctrl-u" ? "" : wrong ? key : typed + key;
      asking = { answer, word, typed: kept, ...(delivery ? { delivery } : {}) };
    }
  }

  return {
    ask(answer) {
      if (answer === "revise") {
        deps.showNote(command(answer));
        void revise();
      } else if (answer === "approve" && wanted) deliver(wanted);
      else asking = { answer, word: wordFor(answer), typed: "" };
    },
    deliver(key) {
      if (key === "p" && open.pushesTo === null)
        return deps.showNote(
          line(piece("There is no remote to push to. ", "bad"), "Add one: git remote add origin URL"),
        );
      deliver(key === "p" ? { pullRequest: true } : {});
    },
    restate: () => void restate(),
    decideNow: (answer) => void decide(answer, phraseFor(answer)),
    typing: () => asking?.naming === true || (asking?.word ?? null) !== null,
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
      if (asking.naming) return namingLine(asking);
      const { answer, word, delivery } = asking;
      const question =
        restatedQuestion(delivery ?? {}) ??
        deliveryQuestion(options, delivery ?? {}) ??
        gate.summary?.questions[answer] ??
        `${answers[answer].word}?`;
      return word === null
        ? line(piece(`${question} `, "ask"), piece("y/n", "bold"))
        : wordLine(question, word, asking);
    },
  };
}
