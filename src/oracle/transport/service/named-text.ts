// Texts in files that a person names: read to a limit, also from a pipe, and refused in words.
import { createReadStream } from "node:fs";
import { FailureError, fail } from "../../../core/contract/index.ts";
import { systemCode } from "../../../platform/system/index.ts";

/** The same as of standard input. */
const mostBytes = 64 << 20;

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "you may not read it",
  EPERM: "you may not read it",
  ENAMETOOLONG: "the name is too long",
  ELOOP: "its links lead in a circle",
  ERR_ENCODING_INVALID_ENCODED_DATA: "it is not UTF-8 text",
};

/** `about` names the file in a refusal. Where other bytes are no reason to refuse, each becomes a replacement character. */
export async function namedText(path: string, about: string, remedy: string, fatal = true): Promise<string> {
  const refuse = (why: string) => fail("invalid_input", `${about} cannot be read: ${why}.`, { remedy });
  try {
    const decoder = new TextDecoder("utf-8", { fatal });
    let [text, size] = ["", 0];
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > mostBytes) return refuse("it is larger than 64 MB");
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    if (error instanceof FailureError) throw error;
    const code = systemCode(error) ?? (error as { code?: unknown }).code;
    if (typeof code !== "string") throw error;
    return refuse(reasons[code] ?? code);
  }
}
