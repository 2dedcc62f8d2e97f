// Which models OpenCode can be asked for, told from files: its catalog, what the user configured, whose key there is.
import { readFileSync, statSync } from "node:fs";
import { type JsonLine, lineAt } from "./lines.ts";

/** Known to be there when there is no catalog yet. */
const usual: Readonly<Record<string, readonly string[]>> = {
  anthropic: ["claude-opus-4-6", "claude-sonnet-4-6", "claude-haiku-4-5"],
  openai: ["gpt-5.5", "gpt-5.2", "gpt-5.2-codex"],
  google: ["gemini-3-pro-preview", "gemini-2.5-pro", "gemini-2.5-flash"],
};

const maxBytes = 20_000_000;

/** The list that OpenCode last fetched of models.dev: provider, then models by name. */
export function catalogOf(file: string): JsonLine {
  try {
    if (statSync(file).size > maxBytes) return {};
    return JSON.parse(readFileSync(file, "utf8")) as JsonLine;
  } catch (error) {
    // Not there yet, or half written.
    if (error instanceof SyntaxError || (error instanceof Error && "code" in error)) return {};
    throw error;
  }
}

export function modelsIn(catalog: JsonLine, own: JsonLine, accounts: readonly string[]): string[] {
  const named = (owner: string): readonly string[] => {
    const listed = Object.keys(lineAt(lineAt(catalog, owner), "models") ?? {});
    const added = Object.keys(lineAt(lineAt(lineAt(own, "provider"), owner), "models") ?? {});
    const known = Object.hasOwn(usual, owner) ? (usual[owner] ?? []) : [];
    return [...added, ...(listed.length > 0 ? listed : known)];
  };
  return [...new Set(accounts)].flatMap((owner) => named(owner).map((name) => `${owner}/${name}`));
}
