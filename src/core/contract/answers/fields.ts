// The bounded fields that every role's payload is built from, and the marker that binds an answer to its directive.
import { z } from "zod";

/** Hard bounds of one answer. A longer one is refused, never truncated: a truncated answer is not the model's answer. */
export const responseLimits = {
  rawBytes: 1_000_000,
  summary: 2_000,
  markdown: 200_000,
  line: 4_000,
  list: 100,
  path: 1_024,
} as const;

/** The most files of blind tests, and the most characters of each. */
export const blindTestLimits = { files: 8, chars: 60_000 } as const;

/** The field by which a payload repeats the marker of the directive it answers. */
export const ackField = "thehoodDirectiveAck";

/** Written into a directive. `marker` is what the answer must repeat, character for character. */
export const directiveAck = z.strictObject({
  runId: z.string(),
  nonce: z.string().min(8).max(64),
  responseField: z.literal(ackField),
  marker: z.string(),
});
export type DirectiveAck = z.infer<typeof directiveAck>;

export function makeAck(runId: string, nonce: string): DirectiveAck {
  return { runId, nonce, responseField: ackField, marker: `${runId}/${nonce}` };
}

export const line = z.string().min(1).max(responseLimits.line);
export const lines = z.array(line).max(responseLimits.list);
export const path = z.string().min(1).max(responseLimits.path);
export const paths = z.array(path).max(responseLimits.list);

/** A pointer to recorded evidence: an artifact ref or an event id. Whether it exists is checked by the runtime. */
export const refs = z.array(z.string().min(1).max(200)).max(responseLimits.list);

const risk = z.union([line, z.strictObject({ severity: z.enum(["low", "medium", "high"]), risk: line })]);
export type Risk = z.infer<typeof risk>;
export const risks = z.array(risk).max(responseLimits.list);

export const riskText = (value: Risk): string =>
  typeof value === "string" ? value : `${value.severity}: ${value.risk}`;

const evidenceKinds = [
  "diff",
  "test_log",
  "lint_log",
  "typecheck_log",
  "build_log",
  "file_read",
  "runtime_metadata",
] as const;
export const evidence = z
  .array(z.strictObject({ kind: z.enum(evidenceKinds), ref: z.string().min(1).max(200), finding: line }))
  .max(responseLimits.list);

/** The fields that every payload has in addition to its own. */
export const common = {
  [ackField]: z.string().min(1).max(200),
  /** Long text for people. */
  markdown: z.string().max(responseLimits.markdown).optional(),
  evidenceRefs: refs.optional(),
};
