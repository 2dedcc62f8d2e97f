// An artifact of a run: its bytes for a person, a redacted page for a program.
import { define } from "../context/index.ts";
import { optional, text, whole, withDefault } from "../define/index.ts";
import { fail } from "../../core/contract/index.ts";
import { run } from "../run-data/fields.ts";

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
    runId: text("a run id or its first letters", { min: 1, max: 100, cli: { name: "run" } }),
    ref: optional(text("an artifact ref or the first letters of its hash; the only word means the newest run's")),
    maxBytes: optional(whole("at most this much (default: all)", { min: 1 })),
    offset: optional(whole("start here", { min: 0 })),
  },
  async handle({ runId, ref, offset, maxBytes: max }, context) {
    await using runs = await context.ports.runs(context.folder);
    // One word alone names an artifact of the newest run.
    const [id, wanted] = ref === undefined ? [undefined, runId] : [runId, ref];
    return runs.artifact(await runs.find(id), wanted, { offset, max });
  },
  cli: { args: ["runId", "ref"], nowIn: { command: "show", option: "artifact", value: "id" } },
});

/** A redacted page costs a reading of the whole; a person may wait longer for it than a conversation. */
const largest = { host: 8 << 20, policy: 8 << 20, person: 64 << 20 } as const;

/** Bytes that are not text are not worth a page of a conversation. */
const isBinary = (bytes: Uint8Array) => bytes.subarray(0, 8_000).includes(0);

export const artifactPage = define({
  name: "artifact page",
  group: "Look",
  summary: "A page of an artifact of a run, redacted",
  effect: "reads",
  input: {
    runId: run,
    ref: text("an artifact", {
      min: 4,
      max: 80,
      mcp: { about: "sha256:… as a status names it, or its first letters." },
    }),
    offset: withDefault(whole("start here", { min: 0 }), 0),
    maxBytes: withDefault(whole("at most this much", { min: 1, max: 200_000 }), 20_000),
  },
  async handle(input, context) {
    const { pageOf } = await import("../truncate.ts");
    await using runs = await context.ports.runs(context.folder);
    const runId = await runs.find(input.runId);
    const most = largest[context.actor.kind];
    const { bytes, ref, kind, mediaType, total } = await runs.artifact(runId, input.ref, { max: most });
    if (total > most)
      fail("invalid_input", `ref: the artifact has ${total} bytes, more than is read for a client.`, {
        remedy: "A person can read it",
        suggestions: [{ suggest: "artifact", runId, ref }],
      });
    const about = { runId, ref, kind, mediaType };
    if (isBinary(bytes)) return { ...about, binary: true, total_bytes: total };
    // Redacted as a whole and then cut, so that no page boundary lets half a secret through.
    const { redacted } = await context.ports.judges.secrets(new TextDecoder().decode(bytes));
    return { ...about, ...pageOf(new TextEncoder().encode(redacted), input.offset, input.maxBytes) };
  },
  mcp: {
    tool: "thehood_read_artifact",
    main: true,
    title: "Read an artifact",
    description: "A page of an artifact of a run, redacted.",
    output: {
      runId: "string",
      ref: "string",
      kind: "string",
      mediaType: "string",
      total_bytes: "number",
      binary: "boolean?",
      content: "string?",
      offset: "number?",
      next_offset: "number|null?",
    },
  },
});
