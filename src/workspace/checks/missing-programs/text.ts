// The programs that a check starts, as far as its words tell. A word that a shell would work out is left alone.
import type { CheckSpec } from "../../../core/contract/index.ts";
import { scriptOf } from "../script.ts";
import type { TreeFiles } from "../tree.ts";

const plainName = /^[A-Za-z0-9][\w@.+-]*$/;
const ofTheShell = new Set(
  "cd echo exit export set test true false if for while do then else fi done case eval exec source time".split(
    " ",
  ),
);

/** The first word of each command of a shell line, without variables in front. */
function firstWords(line: string): string[] {
  return line.split(/&&|\|\||[;|\n]/).flatMap((part) => {
    const words = part.trim().split(/\s+/);
    const first = words.find((word) => !/^[A-Za-z_]\w*=/.test(word) && word !== "cross-env");
    return first !== undefined && plainName.test(first) && !ofTheShell.has(first) ? [first] : [];
  });
}

export async function programsOf(files: TreeFiles, spec: CheckSpec): Promise<readonly string[]> {
  const [program, flag, line] = spec.argv;
  if (/^(?:bash|sh)$/.test(program) && flag === "-c") return firstWords(line ?? "");
  const own = plainName.test(program) ? [program] : [];
  const whole = await scriptOf(files, spec);
  const script = whole.slice(spec.argv.join(" ").length).trim();
  return [...own, ...firstWords(script)];
}

/** `python3 -m NAME`. */
export const moduleOf = ({ argv: [program, flag, name] }: CheckSpec): string | undefined =>
  program === "python3" && flag === "-m" && name !== "unittest" ? name : undefined;
