// Reads a stream of JSON lines as agent programs print it. A line that is no JSON object is passed over.

export type JsonLine = Readonly<Record<string, unknown>>;

export const isJsonLine = (value: unknown): value is JsonLine =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function jsonLines(stdout: string): JsonLine[] {
  return stdout.split("\n").flatMap((text) => {
    if (!text.startsWith("{")) return [];
    try {
      const value: unknown = JSON.parse(text);
      return isJsonLine(value) ? [value] : [];
    } catch (error) {
      // Cut off in the middle, by a crash or a limit.
      if (error instanceof SyntaxError) return [];
      throw error;
    }
  });
}

export const textAt = (line: JsonLine | undefined, key: string): string | undefined => {
  const value = line?.[key];
  return typeof value === "string" ? value : undefined;
};

export const lineAt = (line: JsonLine | undefined, key: string): JsonLine | undefined => {
  const value = line?.[key];
  return isJsonLine(value) ? value : undefined;
};

const mostBelieved = 1e12;

/** A count that can be believed, or 0. */
export const countAt = (line: JsonLine | undefined, key: string): number => {
  const value = line?.[key];
  return typeof value === "number" && value > 0 && value < mostBelieved ? Math.round(value) : 0;
};
