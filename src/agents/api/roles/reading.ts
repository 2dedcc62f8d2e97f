// The reads of a model in one call: within its allowance of questions and bytes, and on record.
import type { ReadAllowance, ReadTool, ReadTools } from "../../../core/contract/index.ts";
import type { ToolUse } from "../stream.ts";

/** One read as it is recorded: what was asked and how much was shown, never the text itself. */
export interface ReadRecord {
  readonly tool: string;
  readonly input: string;
  readonly ok: boolean;
  readonly bytes: number;
  readonly redactions: number;
}

export interface RepoReading {
  readonly tools: readonly ReadTool[];
  use(use: ToolUse): Promise<{ id: string; text: string; ok: boolean }>;
  spent(): boolean;
  readonly records: readonly ReadRecord[];
}

const nothingLeft = "Nothing more can be read in this call. Answer now with what you know.";

export function startReading(open: ReadTools, allowance: ReadAllowance, signal: AbortSignal): RepoReading {
  const records: ReadRecord[] = [];
  let calls = allowance.calls;
  let bytes = allowance.bytes;
  return {
    tools: open.tools,
    records,
    spent: () => calls <= 0 || bytes <= 0,
    async use({ id, name, input }) {
      if (calls <= 0 || bytes <= 0) return { id, text: nothingLeft, ok: false };
      calls -= 1;
      const parsed = parse(input);
      const result = parsed.ok
        ? await open.use(name, parsed.value, signal)
        : { ok: false, text: "The input is no JSON object.", redactions: 0 };
      const text = cut(result.text, bytes);
      const size = Buffer.byteLength(text);
      bytes -= size;
      records.push({
        tool: name.slice(0, 60),
        input: input.slice(0, 500),
        ok: result.ok,
        bytes: size,
        redactions: result.redactions,
      });
      return { id, text, ok: result.ok };
    },
  };
}

function parse(input: string): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: JSON.parse(input === "" ? "{}" : input) };
  } catch (error) {
    if (error instanceof SyntaxError) return { ok: false };
    throw error;
  }
}

/** At most `limit` bytes, whole characters, with a note if it was truncated. */
function cut(text: string, limit: number): string {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= limit) return text;
  return `${new TextDecoder().decode(bytes.subarray(0, limit)).replace(/\uFFFD+$/, "")}\n[cut: nothing more can be read in this call]`;
}
