// Reads a stream of JSON lines as agent programs print it. A line that is no JSON object is passed over.

export type Line = Readonly<Record<string, unknown>>;

export const isLine = (value: unknown): value is Line =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function jsonLines(stdout: string): Line[] {
  return stdout.split("\n").flatMap((text) => {
    if (!text.startsWith("{")) return [];
    try {
      const value: unknown = JSON.parse(text);
      return isLine(value) ? [value] : [];
    } catch (error) {
      // Cut off in the middle, by a crash or a limit.
      if (error instanceof SyntaxError) return [];
      throw error;
    }
  });
}

export const textAt = (line: Line | undefined, key: string): string | undefined => {
  const value = line?.[key];
  return typeof value === "string" ? value : undefined;
};

export const lineAt = (line: Line | undefined, key: string): Line | undefined => {
  const value = line?.[key];
  return isLine(value) ? value : undefined;
};

const mostBelieved = 1e12;

/** A count that can be believed, or 0. */
export const countAt = (line: Line | undefined, key: string): number => {
  const value = line?.[key];
  return typeof value === "number" && value > 0 && value < mostBelieved ? Math.round(value) : 0;
};
