// A pull request (GitHub) or merge request (GitLab) as its forge describes it. All of its text is a stranger's.
export interface ForgeRequest {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly url: string;
  readonly state: "open" | "closed" | "merged";
  readonly draft: boolean;
  readonly branch: string;
  /** The commit at the tip of the branch. */
  readonly head: string;
  /** Its branch is in another repository. */
  readonly fork: boolean;
  /** The repository of its branch: `owner/name` at GitHub, the number of the project at GitLab. */
  readonly headPath: string;
  /** Those that nobody resolved yet. */
  readonly comments: readonly RequestComment[];
  readonly checks: readonly RequestCheck[];
}

export interface RequestComment {
  readonly author: string;
  /** `path:line`, or null for a comment on the whole. */
  readonly place: string | null;
  readonly text: string;
}

export interface RequestCheck {
  readonly name: string;
  readonly state: "passed" | "failed" | "pending";
  readonly url: string;
  /** The number of its job, by which its log is asked for. */
  readonly job: string | null;
}

export type CiState = "none" | "pending" | "passed" | "failed";

/** A failure counts when everything has ended: until then its log is not whole. */
export function ciOf(checks: readonly RequestCheck[]): CiState {
  if (checks.length === 0) return "none";
  if (checks.some(({ state }) => state === "pending")) return "pending";
  return checks.some(({ state }) => state === "failed") ? "failed" : "passed";
}
