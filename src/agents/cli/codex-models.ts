// Which models Codex can be asked for: those its service last told it of, for this account, and those it came with.
import { isRecord } from "../../core/contract/index.ts";
import { readFileSync, statSync } from "node:fs";
import { countAt, type JsonLine, textAt } from "./lines.ts";

/** Known without asking the program. */
const shipped = [
  "gpt-6.1-sol",
  "gpt-6-astra",
  "gpt-6-sol",
  "gpt-6-luna",
  "gpt-5.6-sol",
  "gpt-6.1-terra",
  "gpt-5.6-terra",
  "gpt-5.6-luna",
  "gpt-5.5",
];

const maxBytes = 20_000_000;

function kept(file: string): JsonLine {
  try {
    if (statSync(file).size > maxBytes) return {};
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isRecord(value) ? value : {};
  } catch (error) {
    // Not there yet, or half written.
    if (error instanceof SyntaxError || (error instanceof Error && "code" in error)) return {};
    throw error;
  }
}

/** The one it would choose first comes first. */
export function codexModels(cache: string): readonly string[] {
  const { models } = kept(cache);
  const heard = (Array.isArray(models) ? models.filter(isRecord) : [])
    .filter((model) => model["visibility"] !== "hide")
    .toSorted((one, other) => countAt(one, "priority") - countAt(other, "priority"))
    .flatMap((model) => textAt(model, "slug") ?? [])
    .filter((slug) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(slug));
  return [...new Set([...heard, ...shipped])];
}
