// Where the prompt comes from: the command line, a file, or standard input; exactly one of them.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fail } from "../../../core/contract/index.ts";
import type { Options } from "../../../core/contract/transport/index.ts";
import { systemCode } from "../../../platform/system/index.ts";

const remedy = "Give it with --prompt, --prompt-file or on standard input.";

function readText(path: string): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(readFileSync(path));
    return text;
  } catch (error) {
    const code = systemCode(error);
    const why =
      code === undefined || code === "ERR_ENCODING_INVALID_ENCODED_DATA" ? "it is not UTF-8 text" : code;
    return fail("invalid_input", `--prompt-file ${path} cannot be read: ${why}.`, { remedy });
  }
}

export async function readPrompt(
  options: Options,
  cwd: string,
  stdin: () => Promise<string | null>,
): Promise<string> {
  const { prompt, promptFile } = options;
  if (prompt !== undefined && promptFile !== undefined)
    return fail("invalid_input", "--prompt and --prompt-file were both given.", {
      remedy: "Give one of them.",
    });
  if (prompt !== undefined && prompt !== "-") return prompt;
  if (promptFile !== undefined && promptFile !== "-") return readText(resolve(cwd, promptFile));
  return (await stdin()) ?? fail("invalid_input", "There is no prompt.", { remedy });
}
