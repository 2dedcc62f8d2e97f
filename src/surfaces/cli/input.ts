// Text and bytes that a command works on: from a file, or from standard input for `-` or nothing.
import { promises } from "node:fs";
import { fail } from "../../contract/index.ts";
import type { Io } from "./spec.ts";

export async function readInput(name: string | undefined, io: Io): Promise<Buffer> {
  if (name === undefined || name === "-") {
    const chunks: Uint8Array[] = [];
    for await (const chunk of io.stdin) chunks.push(chunk);
    return Buffer.concat(chunks);
  }
  try {
    return await promises.readFile(name);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    return fail("invalid_input", `Cannot read ${name} (${code}).`, {
      remedy: "Give the path of a readable file, or - for standard input.",
    });
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
