// Reads a stream of JSON lines as agent programs print it. Skips lines that are not JSON objects.
import { isRecord, parseJson } from "../../core/contract/index.ts";

export type JsonLine = Readonly<Record<string, unknown>>;

export function jsonLines(stdout: string): JsonLine[] {
  return stdout.split("\n").flatMap((text) => {
    if (!text.startsWith("{")) return [];
    // A line that was cut off by a crash or a limit is not JSON.
    const value = parseJson(text);
    return isRecord(value) ? [value] : [];
  });
}

export const textAt = (line: JsonLine | undefined, key: string): string | undefined => {
  const value = line?.[key];
  return typeof value === "string" ? value : undefined;
};

export const lineAt = (line: JsonLine | undefined, key: string): JsonLine | undefined => {
  const value = line?.[key];
  return isRecord(value) ? value : undefined;
};

const mostBelieved = 1e12;

/** A count that can be believed, or 0. */
export const countAt = (line: JsonLine | undefined, key: string): number => {
  const value = line?.[key];
  return typeof value === "number" && value > 0 && value < mostBelieved ? Math.round(value) : 0;
};

/** The part of the input that the service had read before, where there is one. */
export const cachedPart = (tokens: number): { cachedTokens?: number } => (tokens > 0 ? { cachedTokens: tokens } : {});

/** The tools of an agent program by their names: the word for a person, and the input that is shown. */
export type ToolTable = Readonly<Record<string, readonly [word: string, input: string]>>;

export function describeTool(tools: ToolTable, name: string, input: JsonLine | undefined): string | undefined {
  const known = Object.hasOwn(tools, name) ? tools[name] : undefined;
  return known && `${known[0]} ${textAt(input, known[1]) ?? ""}`;
}
