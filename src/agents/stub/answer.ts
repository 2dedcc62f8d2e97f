// Turns a scripted step into the text of an answer, well or badly formed as the script wishes.
import { type ProviderCall, ackField, makeAck, responseContracts } from "../../core/contract/index.ts";
import { defaultPayload } from "./defaults.ts";
import type { StubEdit, StubStep } from "./script.ts";

export function stubAnswer(call: ProviderCall, step: StubStep): string {
  const text =
    step.raw === undefined ? envelope(call, step) : step.raw.replaceAll("{{ack}}", call.ack.marker);
  const wrapped = wrap(text, step.wrap ?? "none");
  const missing = (step.oversizeBytes ?? 0) - wrapped.length;
  return missing > 0 ? wrapped + " ".repeat(missing) : wrapped;
}

function envelope(call: ProviderCall, step: StubStep): string {
  const status = step.status ?? "ok";
  const base: Record<string, unknown> = status === "ok" ? defaultPayload(call) : {};
  if (step.edits && "changedFiles" in base) base["changedFiles"] = editedPaths(step.edits);
  const payload: Record<string, unknown> = { ...base, ...step.payload };
  for (const [key, value] of Object.entries(payload)) if (value === null) delete payload[key];
  const marker = markerFor(call, step.ack ?? "current");
  if (marker !== undefined && !(ackField in payload)) payload[ackField] = marker;
  const summary = step.summary ?? `stub ${call.role}: scripted answer ${call.ordinal}`;
  return JSON.stringify({ status, summary, data: { [responseContracts[call.contract].key]: payload } });
}

/** An honest worker names what it touched; a script can say otherwise. */
const editedPaths = (edits: readonly StubEdit[]): string[] => [
  ...new Set(
    edits.flatMap((edit) =>
      "path" in edit ? [edit.path] : edit.op === "rename" ? [edit.from, edit.to] : [],
    ),
  ),
];

function markerFor(call: ProviderCall, kind: NonNullable<StubStep["ack"]>): string | undefined {
  if (kind === "current") return call.ack.marker;
  if (kind === "missing") return undefined;
  return kind === "stale"
    ? makeAck(call.runId, "00000000stale").marker
    : makeAck("run_someoneelse", call.ack.nonce).marker;
}

function wrap(text: string, how: NonNullable<StubStep["wrap"]>): string {
  if (how === "fence") return `Here is my answer.\n\n\`\`\`json\n${text}\n\`\`\`\n`;
  return how === "prose" ? `I thought about {it}.\n${text}\nThat is all.` : text;
}
