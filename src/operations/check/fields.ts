// The fields of the judges' operations, and the stream of lines that each of them can answer.
import type { CommandPlace, SecretUse } from "../../core/contract/index.ts";
import type { Context } from "../context/index.ts";
import { flag, list, optional, source, text } from "../define/index.ts";
import type { LineJudge } from "./lines.ts";

export const jsonl = flag("read one JSON object a line on stdin and answer one a line");
export const file = source("a file, or - for standard input (the default)", {
  optional: true,
  cli: { name: "file" },
});

export const patchFields = {
  restrictPathPrefix: optional(text("refuse paths outside this folder", { cli: { value: "dir" } })),
  approveProtected: flag("you approve changes to protected paths"),
  approvedPaths: list(
    text("a file", { cli: { value: "path" } }),
    "you approve this file with everything in it, a secret too",
    { cli: { name: "approve-path" } },
  ),
  allowBinary: flag("allow binary changes"),
  convert: flag("the file is a model's answer: convert its change to a patch first"),
};

/** One verdict for each line of standard input. */
export async function* judgedLines(
  kind: LineJudge,
  context: Context,
  where?: CommandPlace,
  use?: SecretUse,
): AsyncGenerator<Record<string, unknown>> {
  const { judgeLine } = await import("./lines.ts");
  const repo = kind === "patch" && context.named ? context.folder : undefined;
  for await (const line of context.lines?.() ?? [])
    if (line.trim() !== "")
      yield await judgeLine(kind, line, context.ports.judges, {
        repo,
        folder: context.folder,
        where,
        use,
      });
}
