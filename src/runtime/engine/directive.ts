// Makes the directive of a call and stores it before anything is sent: the machine's draft, excerpts, memory, marker.
import { type DirectiveRecord, type EffectOf, makeAck, responseJsonSchema } from "../../core/contract/index.ts";
import { canonicalMemory } from "../../core/machine/view/index.ts";
import type { Run } from "../../core/machine/index.ts";
import { excerptsOf } from "./excerpt.ts";
import { earlierRuns, memoryPacket } from "./memory.ts";
import type { EnginePorts } from "./ports.ts";

const memoryBytes = 60_000;

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
    taken,
    diff,
  } = await excerptsOf(ports.artifacts, ports.text, [
    ...attachments,
    ...(memory ? [{ name: "memory_packet", ref: memory.packet, maxBytes: memoryBytes }] : []),
  ]);
  const directive = {
    schemaVersion: 1,
    kind: "directive",
    callId: call.callId,
    ...rest,
    outputContract: { ...rest.outputContract, schema: responseJsonSchema(call.contract) },
    directiveAck: ack,
    canonicalMemory: canonicalMemory(run, recent),
    evidence,
  };
  const ref = await ports.artifacts.put(`${JSON.stringify(directive, null, 2)}\n`.toWellFormed(), {
    kind: "directive",
    mediaType: "application/json",
    summary: `directive for the ${call.role} (${call.phase})`,
  });
  const redactions = taken + (memory?.taken ?? 0);
  return {
    directive: ref,
    ack,
    redactions,
    ...(diff ? { diff } : {}),
    ...(memory ? { memory: memory.packet } : {}),
  };
}
