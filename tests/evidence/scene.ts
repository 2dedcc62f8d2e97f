// A repository with a store of played runs whose heads are signed, and a way to put everything back as it was.
import { cpSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import type { RunEvent, Recorded, VerifyReport } from "../../src/core/contract/index.ts";
import { createSealer } from "../../src/workspace/evidence/index.ts";
import { locateRepository, requireRepository } from "../../src/platform/git/index.ts";
import { fold, rowOf, unknownIn } from "../../src/core/machine/index.ts";
import { verifyRepository } from "../../src/runtime/runs/verify/verify.ts";
import { openStore } from "../../src/platform/store/index.ts";
import { course } from "../support/chaos.ts";
import { holdsFor } from "../support/invariants.ts";
import { makeRepository } from "../support/repository.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { removeFolder } from "../support/remove-folder.ts";

export interface Scene {
  readonly stateDir: string;
  readonly runIds: readonly string[];
  /** The database as it was before the newest run ended, and its main file alone, as if its write-ahead log were lost. */
  readonly older: string;
  readonly withoutWal: string;
  verify(): Promise<VerifyReport>;
  restore(): void;
  remove(): void;
}

const playedId = "run_test00000001";
const idOf = (index: number): string => `run_played${String(index).padStart(6, "0")}`;

/** The log of one played run under a name of its own, and every artifact that it names. */
function played(seed: number, index: number) {
  const [given] = fc.sample(course, { numRuns: 1, seed });
  if (!given) throw new Error("no course");
  const play = holdsFor(given);
  const text = JSON.stringify(play.log).replaceAll(playedId, idOf(index));
  return { log: JSON.parse(text) as Recorded[], artifacts: play.artifacts };
}

function* refsIn(value: unknown): Generator<{ ref: string; kind: string; summary: string }> {
  if (typeof value !== "object" || value === null) return;
  if ("ref" in value && "mediaType" in value) yield value as unknown as { ref: string; kind: string; summary: string };
  for (const item of Object.values(value)) yield* refsIn(item);
}

export async function makeScene(seed: number, runs: number): Promise<Scene> {
  const made = makeRepository({ "a.txt": "a\n" });
  const repository = requireRepository(made.dir);
  const evidenceDir = tempFolder("evidence-");
  const aside = tempFolder("aside-");
  const { stateDir } = locateRepository(made.dir);
  let now = 1_700_000_000_000;
  const clock = { now: () => now++ };
  const store = openStore<RunEvent>(stateDir, { clock });
  const sealer = createSealer({ folder: evidenceDir, root: made.dir, repository, clock });
  for (let index = 0; index < runs; index++) {
    const { log: events, artifacts } = played(seed + index, index);
    const known = new Map(artifacts);
    for (const { ref, kind, summary } of refsIn(events)) if (!known.has(ref)) known.set(ref, `${kind}/${summary}`);
    const about = { kind: "log", mediaType: "text/plain", summary: "" } as const;
    for (const text of known.values()) await store.artifacts.put(text, about);
    for (let from = 0; from < events.length;) {
      const at = events[from]?.at ?? 0;
      const to = events.findIndex((one, place) => place > from && one.at !== at);
      const end = to < 0 ? events.length : to;
      if (index === runs - 1 && end === events.length) cpSync(stateDir, join(aside, "older"), { recursive: true });
      const run = fold(events.slice(0, end));
      if (!run) throw new Error("an empty log");
      const some = events.slice(from, end).map(({ event }) => event);
      const request = { runId: idOf(index), expectedSeq: from, at, events: some, row: rowOf(run) };
      const result = await store.log.append(request);
      if (!result.ok) throw new Error(result.conflict);
      sealer.sign(result.stored);
      from = end;
    }
  }
  const trouble = await sealer.settle();
  if (trouble.length > 0) throw new Error(trouble.join());
  cpSync(join(stateDir, "store.db"), join(aside, "without-wal.db"));
  await store.close();
  cpSync(stateDir, join(aside, "whole"), { recursive: true });
  const place = { root: made.dir, repository, stateDir, evidenceDir };
  return {
    stateDir,
    runIds: Array.from({ length: runs }, (_, index) => idOf(index)),
    older: join(aside, "older"),
    withoutWal: join(aside, "without-wal.db"),
    verify: () =>
      verifyRepository(place, async () =>
        Promise.resolve(openStore<RunEvent>(stateDir, { clock, mode: "read", unknownIn })),
      ),
    restore() {
      removeFolder(stateDir);
      cpSync(join(aside, "whole"), stateDir, { recursive: true });
    },
    remove: () => made.remove(),
  };
}
