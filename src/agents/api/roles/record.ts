// How a conversation over an API ran, for the record: where, what was read, what was tried again. Never a key.
import type { ProviderInvocation } from "../../../core/contract/index.ts";
import type { SentCall } from "./call.ts";
import type { ReadRecord } from "./reading.ts";

interface Ran {
  readonly records: readonly ReadRecord[];
  readonly log: readonly string[];
  /** Features the server refused. */
  readonly without: readonly string[];
}

const encode = (lines: readonly string[]): Uint8Array =>
  new TextEncoder().encode(lines.map((line) => `${line}\n`).join(""));

export function invocationOf({ endpoint, slug, reads, call }: SentCall, ran: Ran): ProviderInvocation {
  const shown = ran.records.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    kind: "api_conversation",
    command: endpoint.address.baseUrl,
    args: [endpoint.form, slug, ...ran.without.map((feature) => `without ${feature}`)],
    sandbox: null,
    permissionMode:
      call.workspace.dir === null
        ? "nothing to read"
        : `reads through the runtime's tools: ${ran.records.length} of ${reads.calls} uses, ${shown} of ${reads.bytes} bytes`,
    exitCode: null,
    signal: null,
    stdout: encode(ran.records.map((record) => JSON.stringify(record))),
    stderr: encode(ran.log),
  };
}
