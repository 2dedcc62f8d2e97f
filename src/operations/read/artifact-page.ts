// A page of an artifact for a program: text only, redacted as a whole before it is cut.
import { fail } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";
import { text, whole, withDefault } from "../define/index.ts";
import { run } from "../run-data/fields.ts";

/** A redacted page costs a reading of the whole; a person may wait longer for it than a conversation. */
const largest = { host: 8 << 20, policy: 8 << 20, person: 64 << 20 } as const;

/** Bytes that are no text are not worth a page of a conversation. */
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
      mcp: { about: "sha256:… as a status tells it, or a unique beginning." },
    }),
    offset: withDefault(whole("start here", { min: 0 }), 0),
    maxBytes: withDefault(whole("at most this much", { min: 1, max: 200_000 }), 20_000),
  },
  async handle(input, context) {
    const { pageOf } = await import("../truncate/index.ts");
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
