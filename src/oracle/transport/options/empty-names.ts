// Options whose value names something: an empty value is a mistake, often of a variable that is not set.
import { fail } from "../../../core/contract/index.ts";
import { runOptions, type OptionRow, type Options } from "../../../core/contract/transport/index.ts";

/** Free text may begin with a dash, and an empty one has a meaning of its own. */
const isName = ({ kind, cli }: OptionRow): boolean => kind === "text" && cli.dashes === undefined;

const flagOf = (name: string) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

export function refuseEmptyNames(options: Options): void {
  const empty = Object.entries(runOptions).find(([name, row]) => {
    const value = options[name as keyof Options];
    return isName(row) && typeof value === "string" && value.trim() === "";
  });
  if (empty !== undefined)
    fail("invalid_input", `${flagOf(empty[0])} is empty.`, { remedy: "Give it a value, or leave it out." });
}
