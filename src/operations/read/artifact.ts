// `artifact`: the bytes of an artifact, as they are.
import { define } from "../context/index.ts";
import { optional, text, whole } from "../define/index.ts";

export const artifact = define({
  name: "artifact",
  group: "Look",
  summary: "The bytes of an artifact",
  more: "thehood show lists the artifacts of a run.",
  examples: [
    "thehood show --artifact 3f2a9c01d4e7",
    "thehood show run_0mwh --artifact 3f2a9c01d4e7",
    "thehood show run_0mwh --artifact 3f2a9c01d4e7 --max-bytes 2000",
  ],
  effect: "reads",
  input: {
    runId: text("a run id, or a unique beginning of one", { min: 1, max: 100, cli: { name: "run" } }),
    ref: optional(
      text("an artifact ref, or a unique beginning of its hash; the only word means the newest run's"),
    ),
    maxBytes: optional(whole("at most this much (default: all)", { min: 1 })),
    offset: optional(whole("start here", { min: 0 })),
  },
  async handle({ runId, ref, offset, maxBytes: max }, context) {
    await using runs = await context.ports.runs(context.folder);
    // One word alone names an artifact of the newest run.
    const [id, wanted] = ref === undefined ? [undefined, runId] : [runId, ref];
    return runs.artifact(await runs.find(id), wanted, { offset, max });
  },
  cli: { words: ["runId", "ref"], nowIn: { command: "show", option: "artifact", value: "id" } },
});
