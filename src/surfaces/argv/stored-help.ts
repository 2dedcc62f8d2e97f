// The help of a program as the build wrote it, with colours. A program that is not built has none: its help is derived.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const helpFile = (program: string) => `help-${program}.txt`;

const colours = /\u001B\[\d+m/g;

export function storedHelp(
  program: string,
  argv: readonly string[],
): ((color: boolean) => string) | undefined {
  const [only, ...more] = argv;
  if ((only !== "--help" && only !== "-h") || more.length > 0) return undefined;
  const text = written(program);
  return text === undefined ? undefined : (color) => (color ? text : text.replaceAll(colours, ""));
}

function written(program: string): string | undefined {
  try {
    return readFileSync(join(import.meta.dirname, "..", helpFile(program)), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
