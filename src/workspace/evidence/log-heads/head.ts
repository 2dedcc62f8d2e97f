// A signed head: how far the log of one run had come, signed with the user's key; and its comparison with the log.
import { parseJson } from "../../../core/contract/index.ts";
import { z } from "zod";
import type { PublicKey, UserKey } from "../key.ts";

const signedHead = z.object({
  v: z.literal(1),
  run: z.string().max(100),
  seq: z.int().nonnegative(),
  /** The hash of that event. */
  head: z.string().max(100),
  at: z.number(),
  /** `gone`: a person removed the run. `anew`: a person took the log as it then stood; earlier heads count no more. */
  mark: z.enum(["gone", "anew"]).optional(),
  /** The first commit of the git ref that heads of this repository are pinned in. */
  chain: z.string().max(100).optional(),
  /** The commit that pins this head. */
  pin: z.string().max(100).optional(),
  /** The folder that the runs belong to, by inode and time of birth. */
  place: z.string().max(100).optional(),
  key: z.string().max(100),
  sig: z.string().max(200),
});
export type SignedHead = z.infer<typeof signedHead>;
export type UnsignedHead = Omit<SignedHead, "v" | "key" | "sig">;

function signedBytes({ run, seq, head, at, mark, chain, pin, place }: UnsignedHead): Buffer {
  const fields = [run, seq, head, at, mark ?? null, chain ?? null, pin ?? null, place ?? null];
  return Buffer.from(`thehood head 1\n${JSON.stringify(fields)}`);
}

export function signHead(key: UserKey, head: UnsignedHead): SignedHead {
  return { v: 1, ...head, key: key.id, sig: key.sign(signedBytes(head)).toString("base64") };
}

export const isSignedBy = (key: PublicKey, head: SignedHead): boolean =>
  head.key === key.id && key.verifies(signedBytes(head), Buffer.from(head.sig, "base64"));

export const printHead = (head: SignedHead): string => JSON.stringify(head);

/** Undefined for a line that this program did not write whole. */
export const parseHead = (line: string): SignedHead | undefined => signedHead.safeParse(parseJson(line)).data;

/** The log of a run in the store. */
export interface FoundLog {
  readonly seq: number;
  hashOf(seq: number): string | undefined;
}

/** Heads that still count: those since a person last took the log as it stood. */
function counting(heads: readonly SignedHead[]): readonly SignedHead[] {
  const since = heads.reduce((latest, { mark, at }) => (mark === undefined ? latest : Math.max(latest, at)), 0);
  return heads.filter(({ at }) => at >= since);
}

const day = (at: number): string => new Date(at).toISOString().slice(0, 16).replace("T", " ");

/**
 * Describes the difference between one run's log and its signed heads; undefined when they agree. A head that agrees
 * needs no proof of its signature, except the newest one, which covers all events before it.
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
  const checked = [newest, ...valid.filter((head) => head !== newest && !agrees(head))];
  if (checked.some((head) => !isSignedBy(key, head))) return "a signed head of it was altered";
  if (valid.some(({ mark }) => mark === "gone"))
    return log ? "it was removed by a person, and is here again" : undefined;
  if (!log) return `it is missing: ${newest.seq} events were signed until ${day(newest.at)}`;
  const wrong = checked.find((head) => !agrees(head));
  if (!wrong) return undefined;
  if (log.seq < wrong.seq)
    return `its log ends at event ${log.seq}, and event ${wrong.seq} was signed at ${day(wrong.at)}`;
  return `event ${wrong.seq} is another one than was signed at ${day(wrong.at)}`;
}
