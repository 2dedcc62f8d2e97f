// A patch for a person's eyes.
import { plainText } from "../../../core/contract/index.ts";
import type { Style } from "../../argv/index.ts";

export const patchText = (bytes: Uint8Array, style: Style): string =>
  plainText(new TextDecoder().decode(bytes))
    .split("\n")
    .map((line) => paint(line, style))
    .join("\n");

function paint(line: string, style: Style): string {
  if (line.startsWith("+")) return style.green(line);
  if (line.startsWith("-")) return style.red(line);
  return line.startsWith("@@") ? style.cyan(line) : line;
}
