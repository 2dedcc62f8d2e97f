// Every tool, as data: what it is called, what it says of itself, and which operation it is. Operations are loaded late.
import type { AnyOperation } from "../../../operations/index.ts";

export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint: boolean;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: Annotations;
  /** Offered only when the user's policy lets programs carry a person's answers. */
  readonly decides?: "approve" | "reject";
  /** The client's names for fields that are called otherwise inside. */
  readonly names?: Readonly<Record<string, string>>;
  load(): Promise<AnyOperation>;
}

const runs = () => import("../../../operations/runs/index.ts");
const repo = () => import("../../../operations/repo/index.ts");
const about = () => import("../../../operations/tell/index.ts");

/** Looks at this machine only. */
const looks: Annotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
/** Has agents called, which may talk to a model elsewhere. */
const works: Annotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: true };
/** May, after the gates the user's policy sets, change the checkout. */
const builds: Annotations = { ...works, destructiveHint: true };
const crew = { roles: "role_mapping" } as const;

export const tools: readonly Tool[] = [
  {
    name: "thehood_doctor",
    title: "Doctor",
    description: "What is installed, what protects the user, what is in the way. Calls no model.",
    annotations: looks,
    load: async () => (await about()).doctor,
  },
  {
    name: "thehood_roles",
    title: "Roles",
    description: "Who plays which role here, by whose word, and which providers there are.",
    annotations: looks,
    load: async () => (await about()).roles,
  },
  {
    name: "thehood_assign_roles",
    title: "Assign roles",
    description: "Give roles of this repository to agents (provider:model). Later runs use them.",
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    names: crew,
    load: async () => (await about()).assignRoles,
  },
  {
    name: "thehood_model_access",
    title: "Where data would go",
    description:
      "Preflight: destinations, what would cross, what to approve, what else is possible. Calls nobody.",
    annotations: looks,
    names: crew,
    load: async () => (await about()).modelAccess,
  },
  {
    name: "thehood_recommend_loop",
    title: "Recommend a way of working",
    description: "Which way of working fits a goal, with a draft of what done means. Calls nobody.",
    annotations: looks,
    load: async () => (await about()).recommendLoop,
  },
  {
    name: "thehood_plan",
    title: "Plan",
    description: "Start a run that makes a plan; nothing is edited. Returns at once; poll thehood_status.",
    annotations: works,
    load: async () => (await runs()).plan,
  },
  {
    name: "thehood_orchestrate",
    title: "Run a goal",
    description:
      "Start a governed run: agents work in an isolated worktree, the runtime checks, a person decides at gates. Returns at once; poll thehood_status.",
    annotations: builds,
    names: crew,
    load: async () => (await runs()).orchestrate,
  },
  {
    name: "thehood_consult",
    title: "Consult one role",
    description: "Ask one reading role a question in a run of its own; nothing is edited.",
    annotations: works,
    load: async () => (await runs()).consult,
  },
  {
    name: "thehood_summon",
    title: "Summon a role to a run",
    description: "Ask one reading role about a run. It moves nothing and satisfies no gate.",
    annotations: works,
    load: async () => (await runs()).summon,
  },
  {
    name: "thehood_fanout",
    title: "Ask several roles",
    description: "Ask up to eight reading roles about a run at once. It moves nothing and satisfies no gate.",
    annotations: works,
    load: async () => (await runs()).fanout,
  },
  {
    name: "thehood_continue",
    title: "Continue a run",
    description: "Take a run up again, also after a crash. It passes no gate.",
    annotations: { ...builds, idempotentHint: true },
    load: async () => (await runs()).resume,
  },
  {
    name: "thehood_reconcile",
    title: "Reconcile",
    description: "Hold a completed run against its plan.",
    annotations: works,
    load: async () => (await runs()).reconcile,
  },
  {
    name: "thehood_status",
    title: "Status",
    description: 'Where a run stands, under 4 kB. detail "full" gives the rest by sections.',
    annotations: looks,
    load: async () => (await runs()).status,
  },
  {
    name: "thehood_runs",
    title: "Runs",
    description: "List runs, newest first.",
    annotations: looks,
    load: async () => (await runs()).runs,
  },
  {
    name: "thehood_read_artifact",
    title: "Read an artifact",
    description: "A page of an artifact of a run, redacted.",
    annotations: looks,
    load: async () => (await runs()).readArtifact,
  },
  {
    name: "thehood_capture_evidence",
    title: "Capture evidence",
    description: "Record git status and diff now, as evidence of a run.",
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    load: async () => (await runs()).captureEvidence,
  },
  {
    name: "thehood_agent_board",
    title: "Agent board",
    description: "A card for each role of a run. Display only.",
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    load: async () => (await runs()).agentBoard,
  },
  {
    name: "thehood_repo_tree",
    title: "Files",
    description: "List files of the checkout. Secrets, dependencies and build output are left out.",
    annotations: looks,
    load: async () => (await repo()).repoTree,
  },
  {
    name: "thehood_repo_search",
    title: "Search",
    description: "Find lines in the checkout by text or RE2 pattern; redacted.",
    annotations: looks,
    load: async () => (await repo()).repoSearch,
  },
  {
    name: "thehood_repo_read_file",
    title: "Read a file",
    description: "A page of a file of the checkout, redacted.",
    annotations: looks,
    load: async () => (await repo()).repoReadFile,
  },
  {
    name: "thehood_git_status",
    title: "Git status",
    description: "Branch, commit and changed paths of the checkout.",
    annotations: looks,
    load: async () => (await repo()).gitStatus,
  },
  {
    name: "thehood_git_diff",
    title: "Git diff",
    description: "A page of what differs from HEAD, from another commit, or is staged; redacted.",
    annotations: looks,
    load: async () => (await repo()).gitDiff,
  },
  {
    name: "thehood_approve",
    title: "Ask the person to approve",
    description: "Put an open gate before the person at this client; only their answer passes it.",
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    decides: "approve",
    load: async () => (await runs()).askApproval,
  },
  {
    name: "thehood_reject",
    title: "Ask the person to reject",
    description: "Put an open gate before the person at this client, to reject it; the run then ends.",
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
    decides: "reject",
    load: async () => (await runs()).askRejection,
  },
  {
    name: "thehood_abort",
    title: "Abort a run",
    description: "End a run for good; its work is kept under a ref.",
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    load: async () => (await runs()).abort,
  },
];

export const findTool = (name: string): Tool | undefined => tools.find((tool) => tool.name === name);
