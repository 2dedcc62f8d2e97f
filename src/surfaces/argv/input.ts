// Text and bytes that an operation works on: from a file, or from standard input for `-` or nothing; and JSON in options.
import { promises } from "node:fs";
import { fail } from "../../core/contract/index.ts";
import type { Source } from "../../operations/define/index.ts";
import type { Io } from "./spec.ts";

/** Nothing is read before it is asked for: the lines of standard input may be wanted one by one. */
export const sourceOf = (word: string | undefined, io: Io): Source =>
  word === undefined || word === "-"
    ? { given: word !== undefined, name: undefined, bytes: () => readAll(io.stdin) }
    : { given: true, name: word, bytes: () => readFile(word) };

async function readAll(stdin: Io["stdin"]): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function readFile(name: string): Promise<Uint8Array> {
  try {
    return await promises.readFile(name);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    return fail("invalid_input", `Cannot read ${name} (${code}).`, {
      remedy: "Give the path of a readable file, or - for standard input.",
    });
  }
}

/** The text itself, or what standard input (`-`) or a file (`@file`) holds. */
export async function textOf(word: string | undefined, io: Io): Promise<string | undefined> {
  if (word === undefined || word === "" || !/^(?:-|@\S+)$/.test(word)) return word;
  const bytes = await sourceOf(word.replace(/^@/, ""), io).bytes();
  const text = new TextDecoder().decode(bytes).trim();
  return text === ""
    ? fail("invalid_input", `${word === "-" ? "Standard input" : word.slice(1)} holds no text.`, {
        remedy: "Write what is wanted there, or say it in quotes.",
      })
    : text;
}

/** JSON as it is typed, or the file that holds it (`file` or `@file`). */
export async function readJsonInput(given: string, option: string, accepted: string): Promise<unknown> {
  const inline = /^\s*[[{]/.test(given);
  try {
    return JSON.parse(inline ? given : await promises.readFile(given.replace(/^@/, ""), "utf8"));
  } catch (error) {
    return fail(
      "invalid_input",
      `${option} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
      { remedy: `Give ${accepted} as JSON, or a file that holds it: ${option} @file.json` },
    );
  }
}

/** The lines of standard input as they come; the last one needs no newline. */
export async function* inputLines(io: Io): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of io.stdin) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}
