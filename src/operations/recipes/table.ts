// Ways to run a piece of work. A recipe is advice: it changes nothing about what the runtime insists on.

export interface Recipe {
  readonly id: string;
  readonly label: string;
  /** Whether the runtime does all of it, or leaves a part to the reader of the advice. */
  readonly status: "available" | "partial";
  readonly mode: "implement" | "plan" | "review";
  readonly stopsOn: readonly string[];
  readonly words: readonly string[];
  readonly reviewers: readonly string[];
  /** The recipes that go well with it, in order. */
  readonly with: readonly string[];
}

export const recipes: readonly Recipe[] = [
  {
    id: "build-test-fix",
    label: "Fix something and prove it",
    status: "available",
    mode: "implement",
    stopsOn: ["the verifier approves", "a gate", "max iterations", "a blocker"],
    words: ["fix", "bug", "implement", "add", "build", "feature", "test", "repair", "change", "refactor", "failing"],
    reviewers: ["verifier"],
    with: ["anti-spin"],
  },
  {
    id: "verifier-loop",
    label: "Prove correctness independently",
    status: "available",
    mode: "implement",
    stopsOn: ["approve", "ask_user", "abort", "max iterations"],
    words: ["verify", "prove", "correct", "correctness", "regression", "safe", "migration", "critical"],
    reviewers: ["qa", "verifier"],
    with: ["completion-contract"],
  },
  {
    id: "human-approval-queue",
    label: "Pause for decisions",
    status: "available",
    mode: "implement",
    stopsOn: ["approve", "revise", "reject", "abort"],
    words: ["approve", "approval", "decide", "decision", "careful", "manual", "production", "deploy", "permission"],
    reviewers: ["verifier"],
    with: ["completion-contract"],
  },
  {
    id: "anti-spin",
    label: "Stop repeated agent thrash",
    status: "available",
    mode: "implement",
    stopsOn: ["the same failure twice", "a duplicate request", "no diff after a repair"],
    words: ["stuck", "again", "loop", "spin", "flaky", "retry", "repeated", "keeps"],
    reviewers: ["critic", "verifier"],
    with: ["adversarial-review"],
  },
  {
    id: "completion-contract",
    label: "Define done before work starts",
    status: "partial",
    mode: "plan",
    stopsOn: ["every criterion has evidence", "evidence is weak or missing"],
    words: ["plan", "spec", "requirements", "acceptance", "criteria", "done", "scope", "design", "contract"],
    reviewers: ["planner", "verifier"],
    with: ["adversarial-review", "verifier-loop"],
  },
  {
    id: "adversarial-review",
    label: "Challenge the plan or the patch",
    status: "partial",
    mode: "review",
    stopsOn: ["no blocking concern and the verifier approves", "something unsafe"],
    words: ["review", "audit", "security", "attack", "challenge", "risk", "critique", "threat", "vulnerability"],
    reviewers: ["critic", "qa"],
    with: ["verifier-loop"],
  },
  {
    id: "quality-streak",
    label: "Require repeated clean passes",
    status: "partial",
    mode: "implement",
    stopsOn: ["the streak is reached", "a failure begins it anew"],
    words: ["streak", "repeatedly", "consecutive", "times", "reliable", "stable", "stability"],
    reviewers: ["qa", "verifier"],
    with: ["verifier-loop"],
  },
];
