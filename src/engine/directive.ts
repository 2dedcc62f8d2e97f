// Makes the directive of a call and stores it before anything is sent: the machine's draft, excerpts, memory, marker.
import {
  type DirectiveRecord,
  type EffectOf,
  type RunRow,
  makeAck,
  responseJsonSchema,
} from "../contract/index.ts";
import { type RecentRun, canonicalMemory } from "../machine/view/index.ts";
import type { Run } from "../machine/index.ts";
import { excerptsOf } from "./effects/index.ts";
import type { EnginePorts } from "./ports.ts";

const recentRuns = 6;

function recent({ runId, goal, state, updatedAt, brief }: RunRow): RecentRun {
  const report = typeof brief === "object" && brief !== null && "report" in brief ? brief.report : null;
  return { runId, goal, state, updatedAt, report: typeof report === "string" ? report : null };
}

export async function writeDirective(
  ports: EnginePorts,
  run: Run,
  effect: EffectOf<"write_directive">,
): Promise<DirectiveRecord> {
  const { call, draft } = effect;
  const ack = makeAck(run.runId, ports.ids.next("ack"));
  const { attachments, ...rest } = draft;
  const {
    excerpts: evidence,
    taken: redactions,
    diff,
  } = await excerptsOf(ports.artifacts, ports.text, attachments);
  const directive = {
    schemaVersion: 1,
    kind: "directive",
    callId: call.callId,
    ...rest,
    outputContract: { ...rest.outputContract, schema: responseJsonSchema(call.contract) },
    directiveAck: ack,
    canonicalMemory: canonicalMemory(run, (await ports.log.list({ limit: recentRuns })).map(recent)),
    evidence,
  };
  const ref = await ports.artifacts.put(`${JSON.stringify(directive, null, 2)}\n`.toWellFormed(), {
    kind: "directive",
    mediaType: "application/json",
    summary: `directive for the ${call.role} (${call.phase})`,
  });
  return { directive: ref, ack, redactions, ...(diff ? { diff } : {}) };
}
