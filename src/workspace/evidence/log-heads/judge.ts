// Signed heads against the logs as they are now. Pure: the heads, the key and the hashes are handed in.
import type { PublicKey } from "../key.ts";
import { isSignedBy, type SignedHead } from "./head.ts";

/** The log of a run as it lies in the store. */
export interface FoundLog {
  readonly seq: number;
  hashOf(seq: number): string | undefined;
}

/** Heads that still count: those since a person last took the log as it stood. */
function counting(heads: readonly SignedHead[]): readonly SignedHead[] {
  const anew = heads.filter(({ mark }) => mark !== undefined).map(({ at }) => at);
  const since = Math.max(0, ...anew);
  return heads.filter(({ at }) => at >= since);
}

const day = (at: number): string => new Date(at).toISOString().slice(0, 16).replace("T", " ");

/**
 * The difference between one run's log and its signed heads, in words; undefined when they agree. A head that agrees
 * needs no proof of its signature, except the newest one, which speaks for all events before it.
 */
export function judgeHeads(
  heads: readonly SignedHead[],
  key: PublicKey,
  log: FoundLog | undefined,
): string | undefined {
  const ours = heads.filter((head) => head.key === key.id);
  const marked = ours.filter(({ mark }) => mark !== undefined);
  if (marked.some((head) => !isSignedBy(key, head))) return "a signed head of it was altered";
  const valid = counting(ours);
  const newest = valid.reduce<SignedHead | undefined>(
    (best, head) => (best && best.seq >= head.seq ? best : head),
    undefined,
  );
  if (!newest) return undefined;
  const agrees = ({ seq, head }: SignedHead): boolean => log?.hashOf(seq) === head;
  const told = [newest, ...valid.filter((head) => head !== newest && !agrees(head))];
  if (told.some((head) => !isSignedBy(key, head))) return "a signed head of it was altered";
  if (valid.some(({ mark }) => mark === "gone"))
    return log ? "it was removed by a person, and is here again" : undefined;
  if (!log) return `it is missing: ${newest.seq} events were signed until ${day(newest.at)}`;
  const wrong = told.find((head) => !agrees(head));
  if (!wrong) return undefined;
  if (log.seq < wrong.seq)
    return `its log ends at event ${log.seq}, and event ${wrong.seq} was signed at ${day(wrong.at)}`;
  return `event ${wrong.seq} is another one than was signed at ${day(wrong.at)}`;
}
