// Finds the secrets of a text, and returns the text without them, whole or as a stream.
import type { SecretMatch } from "../contract/index.ts";
import { type TextBlock, createBlocks } from "./blocks.ts";
import { merge } from "./find.ts";
import { marker, type SecretOptions } from "./rule.ts";

/** The secrets of a text, sorted, without overlap. */
export function findSecrets(text: string, options: SecretOptions = {}): SecretMatch[] {
  return matchesOf(createBlocks(options).push(text, true));
}

/** The text with every secret replaced by the marker, and the locations of the secrets in the original text. */
export function redact(text: string, options: SecretOptions = {}): { text: string; matches: SecretMatch[] } {
  const blocks = createBlocks(options).push(text, true);
  const matches = matchesOf(blocks);
  return { text: matches.length === 0 ? text : createPrinter()(blocks), matches };
}

interface Redactor {
  /** Adds the next chunk and returns the text that is final. */
  readonly push: (chunk: string) => string;
  /** For live output: returns the complete lines so far. A secret across that border may be missed. */
  readonly flush: () => string;
  readonly end: () => string;
  /** The labels found so far, each once, sorted. */
  readonly labels: () => string[];
}

/** `redact` for a stream: the same result for any chunks, with bounded memory. */
export function createRedactor(options: SecretOptions = {}, blockSize?: number): Redactor {
  const blocks = createBlocks(options, blockSize);
  const print = createPrinter();
  const labels = new Set<string>();
  const take = (taken: readonly TextBlock[]): string => {
    for (const { found } of taken) for (const { label } of found) labels.add(label);
    return print(taken);
  };
  return {
    push: (chunk) => take(blocks.push(chunk, false)),
    flush: () => take(blocks.flush()),
    end: () => take(blocks.push("", true)),
    labels: () => [...labels].sort(),
  };
}

function createPrinter(): (blocks: readonly TextBlock[]) => string {
  /** Up to here the text is printed or hidden. */
  let done = 0;
  let markedTo = -1;
  return (blocks) => {
    let printed = "";
    for (const { text, at, found } of blocks) {
      for (const { start, end } of found) {
        printed += text.slice(Math.max(0, done - at), Math.max(0, start - at));
        if (start !== markedTo) printed += marker;
        markedTo = end;
        done = end;
      }
      printed += text.slice(Math.max(0, done - at));
      done = Math.max(done, at + text.length);
    }
    return printed;
  };
}

const matchesOf = (blocks: readonly TextBlock[]): SecretMatch[] =>
  merge(blocks.flatMap(({ found }) => found)).map(({ label, start, end }) => ({ label, start, end }));
