// `oracle bundle` and `oracle apply`: the parts of a run that need no model.
import { statusExit } from "../../core/contract/transport/index.ts";
import { optional, text } from "../define/index.ts";
import { define } from "./context.ts";
import { givesApproval, optionsOf, pick } from "./fields.ts";

/** Both need no prompt, but a request must have one. */
const nothingSent = { prompt: "(no prompt: nothing is sent)", engine: "browser" } as const;

export const bundle = define({
  name: "bundle",
  group: "Commands",
  summary: "make the bundle of some files and stop",
  effect: "moves",
  input: {
    ...pick("file", "root", "browserBundleFiles", "browserBundleFormat", "lineNumbers", "maxFileSize", "maxTotalSize"),
    output: optional(text("where to write it", { cli: { short: "o", value: "path" } })),
  },
  handle: async (input, context) => {
    const transport = await context.transport();
    const resolved = await transport.resolve({ ...optionsOf(input), ...nothingSent }, () => context.stdin());
    return transport.pack(resolved, input.output ?? null);
  },
  cli: {},
});

export const apply = define({
  name: "apply",
  group: "Commands",
  summary: "run the diff pipeline on a saved answer: a file, a session, or -",
  effect: "moves",
  decides: givesApproval,
  input: {
    answer: text("an answer: a file, a session, or - for standard input", { min: 1 }),
    ...pick(
      "emitDiffOnly",
      "strictDiff",
      "restrictPathPrefix",
      "diffOutput",
      "applyMode",
      "gitRoot",
      "branch",
      "commitMessage",
      "push",
      "approvePath",
      "jsonOutput",
    ),
  },
  handle: async (input, context) => {
    const transport = await context.transport();
    const answer = input.answer === "-" ? await context.stdin() : await transport.savedAnswer(input.answer);
    const options = { applyMode: "check" as const, ...optionsOf(input), ...nothingSent };
    const resolved = await transport.resolve(options, async () => null);
    return transport.applyAnswer(answer ?? "", resolved, { onLine: () => undefined, signal: context.signal });
  },
  cli: { args: ["answer"], exit: ({ result }) => statusExit[result.status] },
});
