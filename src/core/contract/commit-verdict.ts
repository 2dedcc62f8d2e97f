// The verdict on one commit, by the signed evidence about its change.

export interface CommitVerdict {
  readonly commit: string;
  readonly verdict: "verified" | "unbound" | "tampered";
  readonly reason: string;
  readonly run?: string;
  /** Whether the checks ran on the very tree of this commit. */
  readonly sameTree?: boolean;
  /** Answers of people that carry a signature, and whose it is. */
  readonly signed?: readonly { readonly gate: string; readonly answer: string; readonly by: string }[];
}
