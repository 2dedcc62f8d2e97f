// A view of the terminal and its dependencies: perform operations as the user, show a note, open the next view.
import { FailureError, spellRemedy, type Spell, type TerminalSize } from "../../../core/contract/index.ts";
import { perform, type Context } from "../../../operations/index.ts";
import { type Line, line, piece } from "../text/line.ts";

export interface ScreenView {
  frame(size: TerminalSize, now: number): readonly Line[];
  key(key: string, size: TerminalSize): void;
  /** Whether typed characters are text: then no character is a command of the screen. */
  typing?(): boolean;
  /** Reads the data again; true if the view must be redrawn. */
  refresh?(): Promise<boolean>;
}

export interface ViewDeps {
  readonly context: Context;
  readonly spell: Spell;
  /** Performs an operation; a refusal is shown as the note and gives undefined. */
  act<R>(operation: string, input: object): Promise<R | undefined>;
  /** The same for anything that can be refused. */
  attempt<R>(action: () => Promise<R>): Promise<R | undefined>;
  open(view: ScreenView): void;
  back(): void;
  quit(): void;
  /** Shows a line above the keys until the next key. */
  showNote(line: Line): void;
  note(): Line;
  edit(text: string): Promise<string | null>;
  redraw(): void;
  /** Opens the page in the browser, at a run if one is given. */
  browse(runId?: string): void;
  /** The same dependencies in another repository. */
  at(repo: string): ViewDeps;
}

/** Performs an operation by its name. The operations are loaded with the first one. */
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
