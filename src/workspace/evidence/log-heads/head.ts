// A signed head: how far the log of one run had come, as this user's key says. One line of JSON.
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
  /** The folder that the runs belong to, as the file system knows it. */
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

/** Undefined for a line that no program of ours wrote whole. */
export function parseHead(line: string): SignedHead | undefined {
  try {
    const parsed = signedHead.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
