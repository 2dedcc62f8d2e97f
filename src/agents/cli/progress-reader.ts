// Turns a stream of events into news for a person who waits, while it comes. Nothing is decided by it.
import { StringDecoder } from "node:string_decoder";
import { type ProviderCall, plainLine } from "../../core/contract/index.ts";
import { jsonLines } from "./lines.ts";
import type { Meter } from "./meter.ts";
import type { AgentProgram } from "./program.ts";

/** A longer line is some tool's output; it is not worth holding. */
const longest = 1024 ** 2;
/** Nobody reads more of a message that still grows; enough that a secret in its end is whole. */
const mostWords = 8_192;
/** Far more than is shown: the line is cut once its secrets are out. */
const mostDeed = 2_000;

export function createProgressReader(
  program: Pick<AgentProgram, "tell" | "says">,
  { progress, news, workspace }: Pick<ProviderCall, "progress" | "news" | "workspace">,
  meter: Pick<Meter, "used">,
): (stream: "stdout" | "stderr", chunk: Uint8Array) => void {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  let words = "";
  const hear = (event: Readonly<Record<string, unknown>>) => {
    const said = program.says?.(event);
    if (said) {
      words = ((said.more ? words : "") + said.text).slice(-mostWords);
      news?.({ says: words, growing: said.more === true });
    }
    const deed = program.tell?.(event);
    if (!deed) return;
    words = "";
    // The workspace has a long name, and the files in it are meant.
    progress?.(plainLine(workspace.dir === null ? deed : deed.replaceAll(`${workspace.dir}/`, ""), mostDeed));
  };
  return (stream, chunk) => {
    if (stream !== "stdout") return;
    const lines = (rest + decoder.write(Buffer.from(chunk))).split("\n");
    rest = (lines.pop() ?? "").slice(0, longest);
    if (lines.length === 0) return;
    for (const event of jsonLines(lines.join("\n"))) hear(event);
    news?.({ usage: meter.used() });
  };
}
