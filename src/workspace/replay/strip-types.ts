// TypeScript as JavaScript, for players whose Node cannot load it and whose project has nothing that could.
import { stripTypeScriptTypes } from "node:module";
import process from "node:process";

/** The loader takes a text that begins with it as it is. */
const mark = "/* types removed */\n";

/** Null where the text has more of TypeScript than types. */
export function withoutTypes(text: string): string | null {
  const { emitWarning } = process;
  // Node warns once that this is young; the user did not ask for it.
  process.emitWarning = () => undefined;
  try {
    return mark + stripTypeScriptTypes(text, { mode: "transform" });
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  } finally {
    process.emitWarning = emitWarning;
  }
}
