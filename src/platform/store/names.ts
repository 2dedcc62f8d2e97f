// The grammar of names that reach the store, checked before any query or path is built from one.
import { fail, idPattern } from "../../core/contract/index.ts";

export function checkRunId(runId: string): string {
  if (idPattern.test(runId)) return runId;
  return fail("invalid_input", `"${printable(runId)}" is not a run id.`, {
    remedy: "Run ids look like run_01hxyz…; list them with `thehood runs`.",
  });
}

export function checkRef(ref: string): string {
  const match = /^sha256:([0-9a-f]{64})$/.exec(ref);
  if (match?.[1]) return match[1];
  return fail("invalid_input", `"${printable(ref)}" is not an artifact reference.`, {
    remedy: "A reference is sha256: and 64 hex digits, as `thehood show` prints it.",
  });
}

function printable(text: string): string {
  return text.slice(0, 80).replaceAll(/[^\x20-\x7e]/g, "?");
}
