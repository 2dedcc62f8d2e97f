// The means of a view of the terminal: perform operations as the person, show the outcome, open the next view.
import { FailureError, spellRemedy, type Spell, type TerminalSize } from "../../../core/contract/index.ts";
import { perform, type Context } from "../../../operations/index.ts";
import { type Line, line, piece } from "../text/line.ts";

export interface ScreenView {
  frame(size: TerminalSize, now: number): readonly Line[];
  key(key: string, size: TerminalSize): void;
  /** Looks whether something changed; true when there is something new to draw. */
  refresh?(): Promise<boolean>;
}

export interface Desk {
  readonly context: Context;
  readonly spell: Spell;
  /** Performs an operation; undefined when it was refused, which is told. */
  act<R>(operation: string, input: object): Promise<R | undefined>;
  /** The same for anything that can be refused. */
  attempt<R>(deed: () => Promise<R>): Promise<R | undefined>;
  open(view: ScreenView): void;
  back(): void;
  quit(): void;
  /** The line above the keys, until the next key. */
  say(told: Line): void;
  said(): Line;
  edit(text: string): Promise<string | null>;
  redraw(): void;
  /** Opens the page in the browser, at this run where one is named. */
  browse(runId?: string): void;
  /** The same desk in another repository. */
  at(repo: string): Desk;
}

/** Operations are found by their name, and loaded with the first one that is needed. */
export async function performNamed(name: string, input: object, context: Context): Promise<unknown> {
  const { operations } = await import("../../../operations/index.ts");
  const found = operations.find((operation) => operation.name === name);
  if (!found) throw new TypeError(`there is no operation ${name}`);
  return perform(found, input, context);
}

export const refused = ({ failure }: FailureError, spell: Spell): Line => {
  const remedy = spellRemedy(failure, spell);
  return line(piece(`✘ ${failure.message}`, "bad"), remedy === undefined ? "" : piece(` → ${remedy}`, "dim"));
};

/** The command that an action equals. */
export const equals = (command: string): Line => line(piece("= ", "dim"), piece(command, "info"));
