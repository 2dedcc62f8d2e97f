// The output of a command that becomes the input of the next one in a pipeline, when it follows from the line alone.
import type { Feed } from "../call.ts";
import { expandWord } from "../lexer/expand.ts";
import type { SimpleCommand } from "../lexer/lexer.ts";
import { ANY, isLiteral } from "../lexer/pattern.ts";
import { listedNames } from "./names.ts";
import type { Walk } from "./walk.ts";

/** Undefined when the output depends on files or programs. */
export function staticOutput(command: SimpleCommand | undefined, walk: Walk, input: Feed): Feed | undefined {
  if (!command || command.words.length === 0) return undefined;
  const fields = command.words.flatMap((word) => expandWord(word, walk.variables));
  const span = {
    start: command.words[0]?.span.start ?? 0,
    end: command.words.at(-1)?.span.end ?? 0,
  };
  const [name = "", ...args] = fields;
  const text = outputText(name, args);
  if (text !== undefined) return { kind: "text", text, exact: isLiteral(text), span };
  const ownInput = command.redirects.some(({ operator }) => operator.startsWith("<"));
  const names = listedNames(name, args, ownInput ? { kind: "none" } : input);
  if (names) return { kind: "unknown", span, names };
  const passes = (name === "cat" && args.every((arg) => arg === "-")) || name === "tee";
  if (passes) return stdinText(command, walk) ?? (input.kind === "text" ? input : undefined);
  return undefined;
}

function outputText(name: string, args: readonly string[]): string | undefined {
  if (name === "echo") {
    const values = args.filter((arg, index) => !(index === 0 && /^-[neE]+$/.test(arg)));
    const text = values.join(" ");
    return args[0]?.includes("e") && /^-[neE]+$/.test(args[0]) ? unescapeEcho(text) : text;
  }
  if (name !== "printf" || args[0] === "-v") return undefined;
  const [format = "", ...values] = args[0] === "--" ? args.slice(1) : args;
  let index = 0;
  const filled = unescapeEcho(format).replaceAll(/%%|%[-+ #0-9.*]*[a-zA-Z]/g, (slot) => {
    if (slot === "%%") return "%";
    const value = values[index] ?? "";
    index += 1;
    return slot.endsWith("s") ? value : slot.endsWith("b") ? unescapeEcho(value) : ANY;
  });
  return [filled, ...values.slice(index)].join("\n");
}

const unescapeEcho = (text: string) =>
  text.replaceAll(/\\(?:n|t|x([0-9A-Fa-f]{1,2})|0?([0-7]{1,3})|(\\))/g, (slot, hex?: string, octal?: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    return slot === "\\n" ? "\n" : slot === "\\t" ? "\t" : "\\";
  });

/** The text of a here-document or a here-string. */
export function stdinText(command: SimpleCommand, walk: Walk): Feed | undefined {
  for (const { operator, target, span } of command.redirects.toReversed()) {
    const heredoc = operator === "<" ? walk.scan.heredocs.get(target.span.start) : undefined;
    if (heredoc) {
      const exact = heredoc.verbatim || !/[$`\\]/.test(heredoc.body);
      return { kind: "text", text: heredoc.body, exact, span };
    }
    if (operator === "<<<") {
      const text = expandWord(target, walk.variables).join(" ");
      return { kind: "text", text, exact: isLiteral(text), span };
    }
  }
  return undefined;
}
