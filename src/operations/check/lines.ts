// The judges as a stream: one JSON object a line in, one verdict a line out, whatever a line holds.
import { z } from "zod";
import { type CommandPlace, type Judges, type SecretUse, commandPlaces } from "../../core/contract/index.ts";

const id = z.union([z.string(), z.number(), z.null()]).optional();

const patchOptions = z
  .object({
    repo: z.string().optional(),
    restrictPathPrefix: z.string().optional(),
    restrict_path_prefix: z.string().optional(),
    approveProtected: z.boolean().optional(),
    approve_protected: z.boolean().optional(),
    allowBinary: z.boolean().optional(),
    allow_binary: z.boolean().optional(),
  })
  .loose();

const replyOptions = z.object({ requireAck: z.string().optional(), require_ack: z.string().optional() }).loose();

/** For each judge: the fields of a line, and the answer. */
const judges = {
  command: {
    line: z.object({ id, cmd: z.string(), root: z.string().optional(), where: z.enum(commandPlaces).optional() }),
    answer: async (
      given: Judges,
      line: { cmd: string; root?: string | undefined; where?: CommandPlace | undefined },
      { folder, where }: LineDefaults,
    ) => {
      const verdict = await given.command(line.cmd, line.root ?? folder, line.where ?? where);
      return { class: verdict.class, gated: verdict.gated, why: verdict.why };
    },
  },
  patch: {
    line: z.object({ id, patch: z.string(), repo: z.string().optional(), options: patchOptions.optional() }),
    answer: async (
      given: Judges,
      line: { patch: string; repo?: string | undefined; options?: z.infer<typeof patchOptions> | undefined },
      defaults: LineDefaults,
    ) => {
      const options = line.options ?? {};
      const verdict = await given.patch(line.patch, {
        repo: line.repo ?? options.repo ?? defaults.repo,
        restrictPathPrefix: options.restrictPathPrefix ?? options.restrict_path_prefix,
        approveProtected: options.approveProtected ?? options.approve_protected,
        allowBinary: options.allowBinary ?? options.allow_binary,
        more: options,
      });
      return {
        verdict: verdict.verdict,
        reason: verdict.reason,
        paths: verdict.paths,
        message: verdict.message,
      };
    },
  },
  reply: {
    line: z.object({ id, response: z.string(), options: replyOptions.optional() }),
    answer: async (given: Judges, line: { response: string; options?: z.infer<typeof replyOptions> | undefined }) => {
      const ack = line.options?.requireAck ?? line.options?.require_ack;
      const options = ack === undefined ? {} : { requireAck: ack };
      const { selected, reason, diffBlocks, diffScore } = await given.reply(line.response, options);
      return { selected, reason, diffBlocks, diffScore };
    },
  },
  secrets: {
    line: z.object({ id, file: z.string().optional(), text: z.string() }),
    answer: async (given: Judges, line: { text: string; file?: string | undefined }, { use }: LineDefaults) =>
      given.secrets(line.text, line.file, use),
  },
  path: {
    line: z.object({ id, root: z.string(), path: z.string(), op: z.string().default("read") }),
    answer: async (given: Judges, line: { root: string; path: string; op: string }) =>
      given.path(line.root, line.path, line.op),
  },
} as const;

export type LineJudge = keyof typeof judges;

export interface LineDefaults {
  readonly repo?: string | undefined;
  /** Where commands would run. */
  readonly folder?: string | undefined;
  readonly where?: CommandPlace | undefined;
  readonly use?: SecretUse | undefined;
}

/** Answers one line; never throws for what a line says. */
export async function judgeLine(
  kind: LineJudge,
  text: string,
  given: Judges,
  defaults: LineDefaults = {},
): Promise<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return {
      id: null,
      error: {
        code: "invalid_input",
        message: `not JSON: ${error instanceof Error ? error.message : String(error)}`,
      },
    };
  }
  const own = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  const judge = judges[kind];
  const parsed = judge.line.safeParse(value);
  if (!parsed.success) return { id: own, error: { code: "invalid_input", message: z.prettifyError(parsed.error) } };
  try {
    // The schema above is the one this answer was written for; the union of both loses that tie.
    const answer = judge.answer as (given: Judges, line: unknown, defaults: LineDefaults) => Promise<object>;
    return { id: own, ...(await answer(given, parsed.data, defaults)) };
  } catch (error) {
    return {
      id: own,
      error: { code: "failed", message: error instanceof Error ? error.message : String(error) },
    };
  }
}
