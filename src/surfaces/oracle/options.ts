// What commander collected, as options of the contract. Every value is parsed here and trusted afterwards.
import { fail } from "../../contract/index.ts";
import type { Options } from "../../contract/transport/index.ts";
import { optionsSchema } from "../../contract/transport/schema/index.ts";
import { flagName, runFlags } from "./flags.ts";
import type { Given } from "./program.ts";
import type { OracleWorld } from "./spec.ts";

export function optionsFrom(given: Given): Options {
  const named = runFlags
    .filter(({ option }) => given[option] !== undefined)
    .map(({ option }) => [option, given[option]] as const);
  const parsed = optionsSchema.safeParse(Object.fromEntries(named));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const flag = flagName(String(issue?.path[0] ?? ""));
  return fail("invalid_input", `${flag}: ${issue?.message ?? "not accepted"}.`, {
    remedy: "Run: oracle --help",
  });
}

const maxStdin = 64 << 20;

/** Standard input as text, or null when a person sits at it. */
export function stdinText(world: OracleWorld): () => Promise<string | null> {
  return async () => {
    if (world.stdinIsTerminal()) return null;
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let text = "";
    try {
      for await (const chunk of world.io.stdin) {
        text += decoder.decode(chunk, { stream: true });
        if (text.length > maxStdin) return fail("invalid_input", "Standard input is larger than 64 MB.");
      }
      return text + decoder.decode();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return fail("invalid_input", "Standard input is not UTF-8 text.", {
        remedy: "Attach other files with --file.",
      });
    }
  };
}
