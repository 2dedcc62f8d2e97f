// Makes the directive of a call and stores it before anything is sent: the machine's draft, excerpts, memory, marker.
import { type DirectiveRecord, type EffectOf, makeAck, responseJsonSchema } from "../../core/contract/index.ts";
import { canonicalMemory } from "../../core/machine/view/index.ts";
import type { Run } from "../../core/machine/index.ts";
import { cleanDeep, cleanMessage } from "./clean.ts";
import { excerptsOf } from "./excerpt.ts";
import { earlierRuns, memoryPacket } from "./memory.ts";
import type { EnginePorts } from "./ports.ts";

const memoryBytes = 60_000;
/** An answer is accepted by these fields: they are sent as they are. */
const fixed = ["callId", "outputContract", "directiveAck"];

export async function writeDirective(
  ports: EnginePorts,
  run: Run,
  effect: EffectOf<"write_directive">,
): Promise<DirectiveRecord> {
  const { call, draft } = effect;
  const ack = makeAck(run.runId, ports.ids.next("ack"));
  const { attachments, ...rest } = draft;
  const recent = await earlierRuns(ports, run, call);
  const memory = await memoryPacket(ports, run, call, recent);
  const {
    excerpts: evidence,
    removed,
    diff,
  } = await excerptsOf(ports.artifacts, ports.text, [
    ...attachments,
    ...(memory ? [{ name: "memory_packet", ref: memory.packet, maxBytes: memoryBytes }] : []),
  ]);
  const { outputContract, ...words } = rest;
  const directive = {
    schemaVersion: 1,
    kind: "directive",
    callId: call.callId,
    ...cleanDeep(ports.text, words, removed),
    outputContract: { ...outputContract, schema: responseJsonSchema(call.contract) },
    directiveAck: ack,
    canonicalMemory: cleanDeep(ports.text, canonicalMemory(run, recent), removed),
    evidence,
  };
  const message = `${JSON.stringify(directive, null, 2)}\n`.toWellFormed();
  const ref = await ports.artifacts.put(cleanMessage(ports.text, message, fixed, removed), {
    kind: "directive",
    mediaType: "application/json",
    summary: `directive for the ${call.role} (${call.phase})`,
  });
  const kinds = [...new Set([...removed.kinds, ...(memory?.removed.kinds ?? [])])].sort();
  return {
    directive: ref,
    ack,
    redactions: removed.taken + (memory?.removed.taken ?? 0),
    ...(kinds.length > 0 ? { secretKinds: kinds } : {}),
    ...(diff ? { diff } : {}),
    ...(memory ? { memory: memory.packet } : {}),
  };
}
