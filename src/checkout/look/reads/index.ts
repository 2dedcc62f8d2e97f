// The door to the runtime's own read tools for models: a guest's look at a checkout, told as text, bounded (R-72, S-8).
import { z } from "zod";
import {
  type AbortSignalLike,
  FailureError,
  type ReadResult,
  type ReadTool,
  type ReadTools,
} from "../../../contract/index.ts";
import type { SecretOptions } from "../../../secrets/index.ts";
import { findRepository } from "../../../git/index.ts";
import { createLook, createVeil } from "../guest/index.ts";
import { readInputs, readToolNames, readToolWords, refused, type ReadToolName } from "./shapes.ts";
import { tellDiff, tellFile, tellFiles, tellMatches, tellStatus } from "./tell.ts";

export { readBounds } from "./shapes.ts";

const tools: readonly ReadTool[] = readToolNames.map((name) => ({
  name,
  description: readToolWords[name],
  parameters: z.toJSONSchema(readInputs[name], { io: "input" }),
}));

/** A text with a secret in it has its places replaced, or is not shown at all. Nothing outside of `top` is ever shown. */
export function createReads(
  top: string,
  secrets: "redact" | "withhold",
  secretOptions: SecretOptions = {},
): ReadTools {
  const veil = createVeil(secrets, secretOptions);
  const look = createLook({ root: top, repository: findRepository(top), veil });

  function use(tool: ReadToolName, input: unknown, signal: AbortSignalLike): Promise<string> {
    switch (tool) {
      case "list_files":
        return tellFiles(look, veil, readInputs.list_files.parse(input));
      case "read_file":
        return tellFile(look, readInputs.read_file.parse(input));
      case "search_files":
        return tellMatches(look, readInputs.search_files.parse(input), signal);
      case "git_status":
        readInputs.git_status.parse(input);
        return tellStatus(look, veil);
      case "git_diff":
        return tellDiff(look, readInputs.git_diff.parse(input));
    }
  }

  async function useTool(name: string, input: unknown, signal: AbortSignalLike): Promise<ReadResult> {
    const known = readToolNames.find((candidate) => candidate === name);
    if (!known) return refused(`There is no tool of that name. There are: ${readToolNames.join(", ")}.`);
    const before = veil.taken();
    try {
      const text = await use(known, input ?? {}, signal);
      return { ok: true, text, redactions: veil.taken() - before };
    } catch (error) {
      if (error instanceof z.ZodError) return refused(`The input is wrong: ${z.prettifyError(error)}`);
      if (error instanceof FailureError) return refused(error.failure.message);
      throw error;
    }
  }
  return { tools, use: useTool };
}
