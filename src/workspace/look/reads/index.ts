// The door to the runtime's own read tools: bounded, redacted, by the path judge; they change nothing (R-72, S-8).
import { z } from "zod";
import { type AbortSignalLike, FailureError } from "../../../contract/index.ts";
import type { SecretOptions } from "../../../secrets/index.ts";
import { findRepository } from "../../git/index.ts";
import type { ReadPlace } from "./clean.ts";
import { listFiles, readFile, searchFiles } from "./files.ts";
import { gitDiff, gitStatus } from "./git.ts";
import {
  readInputs,
  readToolNames,
  readToolWords,
  refused,
  type ReadResult,
  type ReadToolName,
} from "./shapes.ts";

export {
  readBounds,
  readInputs,
  readToolNames,
  readToolWords,
  type ReadResult,
  type ReadToolName,
} from "./shapes.ts";

export interface ReadTool {
  readonly name: ReadToolName;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** As a model or a host wants them described. */
export const readTools = (): readonly ReadTool[] =>
  readToolNames.map((name) => ({
    name,
    description: readToolWords[name],
    parameters: z.toJSONSchema(readInputs[name], { io: "input" }),
  }));

export interface ReadOptions {
  /** The top of the checkout; nothing outside of it is ever shown. */
  readonly top: string;
  /** What happens to a text with a secret in it: its places are replaced, or it is not shown at all. */
  readonly secrets: "redact" | "withhold";
  readonly secretOptions?: SecretOptions;
}

export type UseReadTool = (name: string, input: unknown, signal: AbortSignalLike) => Promise<ReadResult>;

export function createReads({ top, secrets, secretOptions = {} }: ReadOptions): UseReadTool {
  const place: ReadPlace = { top, secrets, options: secretOptions };
  const repository = findRepository(top);
  const own = repository?.top === top ? repository : undefined;
  return async (name, input, signal) => {
    const known = readToolNames.find((candidate) => candidate === name);
    if (!known) return refused(`There is no tool of that name. There are: ${readToolNames.join(", ")}.`);
    try {
      return await use(known, input ?? {}, signal);
    } catch (error) {
      if (error instanceof z.ZodError) return refused(`The input is wrong: ${z.prettifyError(error)}`);
      if (error instanceof FailureError) return refused(error.failure.message);
      throw error;
    }
  };

  function use(
    tool: ReadToolName,
    input: unknown,
    signal: AbortSignalLike,
  ): Promise<ReadResult> | ReadResult {
    switch (tool) {
      case "list_files":
        return listFiles(place, own, readInputs.list_files.parse(input));
      case "read_file":
        return readFile(place, readInputs.read_file.parse(input));
      case "search_files":
        return searchFiles(place, own, readInputs.search_files.parse(input), signal);
      case "git_status":
        readInputs.git_status.parse(input);
        return gitStatus(place, own);
      case "git_diff":
        return gitDiff(place, own, readInputs.git_diff.parse(input));
    }
  }
}
