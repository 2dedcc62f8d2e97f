// Helpers for JSON values that no schema has parsed yet.

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value, or an empty record where it is something else. */
export const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

/** The value of the text; undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
