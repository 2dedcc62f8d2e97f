// The help of a program as the build wrote it, with colours. A program that runs from its sources derives its help.
import { readFileSync } from "node:fs";
import { findInstalled } from "../../platform/system/index.ts";

export const helpFile = (program: string) => `help-${program}.txt`;

const colours = /\u001B\[\d+m/g;

export function storedHelp(program: string, argv: readonly string[]): ((color: boolean) => string) | undefined {
  const [only, ...more] = argv;
  if ((only !== "--help" && only !== "-h") || more.length > 0) return undefined;
  const path = findInstalled(helpFile(program), null);
  if (path === undefined) return undefined;
  const text = readFileSync(path, "utf8");
  return (color) => (color ? text : text.replaceAll(colours, ""));
}
