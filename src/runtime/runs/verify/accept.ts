// A person takes the record as it stands, after a backup was put back or a store was lost: the heads of runs that do not
// agree are signed anew, and runs that are missing are signed as gone.
import type { EventLog, RunEvent } from "../../../core/contract/index.ts";
import { createSealer, gatherHeads, judgeHeads } from "../../../workspace/evidence/index.ts";
import type { RepositoryLocation } from "../../../platform/git/index.ts";
import { clock } from "../../../platform/system/index.ts";

export async function acceptHeads(
  { root, repository, evidenceDir }: RepositoryLocation & { readonly evidenceDir: string },
  log: EventLog<RunEvent>,
): Promise<readonly string[]> {
  const { key, byRun, problems } = await gatherHeads(evidenceDir, root, repository);
  if (!key) return [];
  const latest = Math.max(0, ...[...byRun.values()].flat().map(({ at }) => at));
  const later = { now: () => Math.max(clock.now(), latest + 1) };
  const sealer = createSealer({ folder: evidenceDir, root, repository, clock: later });
  const accepted: string[] = [];
  for (const [run, heads] of byRun) {
    const events = (await log.row(run)) ? await log.read(run) : undefined;
    const found = events && { seq: events.length, hashOf: (seq: number) => events[seq - 1]?.hash };
    if (problems.length === 0 && judgeHeads(heads, key, found) === undefined) continue;
    const head = events?.at(-1)?.hash ?? "";
    sealer.mark({ run, seq: events?.length ?? 0, head, mark: events ? "anew" : "gone" });
    accepted.push(run);
  }
  await sealer.settle();
  return accepted;
}
