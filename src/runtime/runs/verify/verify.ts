// `log verify` on a whole repository: the store by its own hashes, each log through schema and machine, the signed heads
// outside of the store, and everything beside it.
import {
  type EventLog,
  type RunEvent,
  type RunRow,
  type Store,
  type VerifyProblem,
  type VerifyReport,
  FailureError,
} from "../../../core/contract/index.ts";
import {
  type FoundLog,
  type GatheredHeads,
  afterAll,
  createSealer,
  gatherHeads,
  judgeHeads,
} from "../../../workspace/evidence/index.ts";
import type { Repository, RepositoryLocation } from "../../../platform/git/index.ts";
import { finishRemovals } from "../removal/gone.ts";
import { foldProblem } from "./fold.ts";
import { brokenPins, pinnedRefs, worktreeRuns } from "../../../workspace/checkout/worktree/index.ts";
import { clock } from "../../../platform/system/index.ts";

interface VerifyInput extends RepositoryLocation {
  /** Undefined for a store that cannot be opened at all. */
  readonly store: Store<RunEvent> | undefined;
  /** The folder of the user with the key and the signed heads. */
  readonly evidenceDir: string;
}

/** Trouble on the way is a problem of the part that was looked at; a bug of ours is thrown on. */
async function attempt<T>(problems: VerifyProblem[], about: Omit<VerifyProblem, "problem">, work: () => Promise<T>) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    problems.push({ ...about, problem: error.failure.message });
    return undefined;
  }
}

async function allRows(store: Store<RunEvent>): Promise<RunRow[]> {
  const rows: RunRow[] = [];
  for (;;) {
    const last = rows.at(-1);
    const page = await store.log.list({ limit: 1_000, ...(last ? { before: last } : {}) });
    rows.push(...page);
    if (page.length < 1_000) return rows;
  }
}

/** `broken`: runs whose log the store itself has reported already. */
async function lookAtRun(
  store: Store<RunEvent>,
  row: RunRow,
  heads: GatheredHeads | undefined,
  broken: boolean,
): Promise<VerifyProblem[]> {
  const { runId } = row;
  const problems: VerifyProblem[] = [];
  if (broken) return problems;
  await attempt(problems, { kind: "chain", runId }, async () => {
    const events = await store.log.read(runId);
    const folded = foldProblem(events, row);
    if (folded) problems.push({ ...folded, runId });
    const log: FoundLog = { seq: events.length, hashOf: (seq) => events[seq - 1]?.hash };
    const signed = heads?.key && judgeHeads(heads.byRun.get(runId) ?? [], heads.key, log);
    if (signed !== undefined) problems.push({ kind: "head", runId, problem: signed });
  });
  return problems;
}

function missingRuns(heads: GatheredHeads | undefined, known: ReadonlySet<string>): VerifyProblem[] {
  const { key, byRun } = heads ?? {};
  if (!key || !byRun) return [];
  return [...byRun].flatMap(([runId, signed]): VerifyProblem[] => {
    const problem = known.has(runId) ? undefined : judgeHeads(signed, key, undefined);
    return problem === undefined ? [] : [{ kind: "head", runId, problem }];
  });
}

const some = (count: number, what: string): string[] => (count > 0 ? [`${count} ${what}`] : []);

/** Opens the store, verifies everything and closes it. A store that cannot be opened is a problem, too. */
export async function verifyRepository(
  input: Omit<VerifyInput, "store">,
  open: () => Promise<Store<RunEvent>>,
  only?: string,
): Promise<VerifyReport> {
  let store: Store<RunEvent> | undefined;
  const problems: VerifyProblem[] = [];
  const notes: string[] = [];
  try {
    store = await open();
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.code !== "store_corrupt") throw error;
    problems.push({ kind: "file", problem: error.failure.message });
    notes.push(error.failure.remedy ?? "");
  }
  try {
    const report = await verifyAll({ ...input, store }, only);
    return {
      ...report,
      problems: [...problems, ...report.problems],
      notes: [...notes, ...(report.notes ?? [])],
    };
  } finally {
    await store?.close();
  }
}

async function verifyAll(input: VerifyInput, only?: string): Promise<VerifyReport> {
  const { store, root, repository, evidenceDir } = input;
  const report = (await store?.log.verify(only)) ?? { runs: 0, events: 0, artifacts: 0, problems: [] };
  const problems: VerifyProblem[] = [...report.problems];
  const broken = new Set(problems.flatMap(({ runId }) => runId ?? []));
  if (store) await attempt(problems, { kind: "head" }, () => finishRemovals(input, input, store));
  const heads = await attempt(problems, { kind: "head" }, () => gatherHeads(evidenceDir, root, repository));
  for (const problem of heads?.problems ?? []) problems.push({ kind: "head", problem });
  const rows = store ? await attempt(problems, { kind: "file" }, () => allRows(store)) : [];
  const known = new Set(rows?.map(({ runId }) => runId));
  for (const row of rows ?? [])
    if (store && (only === undefined || row.runId === only))
      for (const problem of await lookAtRun(store, row, heads, broken.has(row.runId))) problems.push(problem);
  if (only === undefined && rows) {
    for (const problem of missingRuns(heads, known)) problems.push(problem);
    if (repository) {
      const beside = () => orphanedRefs(repository, (runId) => known.has(runId) || isAccounted(heads, runId));
      for (const problem of (await attempt(problems, { kind: "pin" }, beside)) ?? []) problems.push(problem);
    }
  }
  const unsigned = [...known].filter((runId) => !heads?.byRun.has(runId)).length;
  const notes = [
    ...(problems.some(({ kind }) => kind === "head")
      ? ["if you know why (a backup was put back, a store was lost), take the record as it is: thehood log accept"]
      : []),
    ...(heads?.notes ?? []),
    ...(only === undefined
      ? some(unsigned, "runs have no signed head here: they were made elsewhere, or before heads were signed")
      : []),
    ...(only === undefined ? some(report.unnamed ?? 0, "artifacts belong to no event") : []),
  ];
  return { ...report, problems, notes };
}

/** It was removed by a person, or belongs to another checkout of this repository. */
const isAccounted = (heads: GatheredHeads | undefined, runId: string): boolean =>
  heads?.elsewhere.has(runId) === true || heads?.byRun.get(runId)?.some(({ mark }) => mark === "gone") === true;

async function orphanedRefs(repository: Repository, isKnown: (runId: string) => boolean): Promise<VerifyProblem[]> {
  const refs = await pinnedRefs(repository);
  const unknown = refs.filter(({ runId }) => !isKnown(runId));
  const strayed = worktreeRuns(repository).filter((runId) => !isKnown(runId));
  return [
    ...unknown.map(({ ref, runId }) => ({
      kind: "orphan" as const,
      runId,
      problem: `${ref} keeps work of it, and the log of this run is not here`,
    })),
    ...strayed.map((runId) => ({
      kind: "orphan" as const,
      runId,
      problem: "there is a worktree of it, and the log of this run is not here",
    })),
    ...(await brokenPins(repository, refs)).map(({ ref, runId }) => ({
      kind: "pin" as const,
      runId,
      problem: `${ref} keeps work that cannot be read any more`,
    })),
  ];
}

export async function acceptHeads(
  { root, repository, evidenceDir }: RepositoryLocation & { readonly evidenceDir: string },
  log: EventLog<RunEvent>,
): Promise<readonly string[]> {
  const gathered = await gatherHeads(evidenceDir, root, repository);
  const { key, byRun, problems } = gathered;
  if (!key) return [];
  const latest = afterAll(gathered, 0);
  const later = { now: () => Math.max(clock.now(), latest) };
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
