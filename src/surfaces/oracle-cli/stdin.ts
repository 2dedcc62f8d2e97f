// Standard input as text, bounded.
import { fail } from "../../core/contract/index.ts";

const maxStdin = 64 << 20;

export async function readStdin(stdin: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  try {
    for await (const chunk of stdin) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > maxStdin) return fail("invalid_input", "Standard input is larger than 64 MB.");
    }
    return text + decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return fail("invalid_input", "Standard input is not UTF-8 text.", {
      remedy: "Attach other files with --file.",
    });
  }
}
