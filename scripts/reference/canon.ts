// The made parts of the pages about roles, the loop, memory, answers, providers, trust and recipes: each is a table of the
// code, so that a page cannot say what the code does not do.
import {
  artifactKinds,
  contractNames,
  contractOfRole,
  failureClasses,
  responseContracts,
  responseJsonSchema,
  roles,
  roleTable,
  stopReasons,
  type ArtifactKind,
  type FailureClass,
  type GateKind,
} from "../../src/core/contract/index.ts";
import { crewLanes, decideCreate, successors } from "../../src/core/machine/index.ts";
import { gateTable } from "../../src/core/machine/gate/table.ts";
import { recipes } from "../../src/operations/recipes/table.ts";
import { creation, deps } from "../../tests/support/parts.ts";
import { providerRows } from "./providers.ts";
import { code, codes, table } from "./parts.ts";

const yes = (is: boolean): string => (is ? "yes" : "no");

const roleRows = roles.map((role) => {
  const { label, read, edit, run, network, satisfies, runtime } = roleTable[role];
  const answers = role === "integrator" ? "runtime code" : code(contractOfRole[role]);
  const power = satisfies === null ? "nothing" : runtime ? "integration" : `the ${satisfies} lane`;
  return [code(role), label, yes(read), yes(edit), yes(run), yes(network), answers, power];
});

/** The lanes of a run that was just created, with an agent for every role that has one. */
function laneRows(): string[][] {
  const decision = decideCreate(creation(), "run_example0000001", 0, deps);
  if (!decision.ok) throw new Error(decision.refusal.message);
  return crewLanes(decision.run).map(({ id, role, authority, canSatisfyGate, responsibility }) => [
    code(id),
    role === null ? "–" : code(role),
    code(authority),
    responsibility === null ? "–" : code(responsibility),
    yes(canSatisfyGate),
  ]);
}

const classWords: Readonly<Record<FailureClass, string>> = {
  test_failure: "A test check that passed before fails now, or does not pass and needs your waiver.",
  lint_failure: "The same of a lint check.",
  typecheck_failure: "The same of a check of types.",
  build_failure: "The same of a build.",
  schema_failure: "An agent broke the contract of its answer as often in a row as the policy allows (three times).",
  permission_denied:
    "Something is not allowed here: one agent in two roles, a checkout with your changes in the way, a repository that ships our state.",
  approval_required: "An ordinary gate: the run waits for your decision.",
  provider_error: "An agent failed, is blocked, gave no answer, or its outcome is unknown.",
  ambiguous_goal: "The goal, or a reviewer's verdict, needs your decision; or the run changed nothing.",
  unsafe_action: "A protected change, a risky command, an unsafe critique, or an agent that did what its role forbids.",
  budget_exhausted: "Answers, tokens, minutes or money are used up.",
  unknown_failure:
    "None of the others: a check of another kind, a patch that does not apply, a failure of the runtime itself.",
};

const kinds = Object.keys(gateTable) as GateKind[];

const classRows = failureClasses.map((name) => [
  code(name),
  classWords[name],
  codes(kinds.filter((kind) => gateTable[kind].failureClass === name)) || "–",
]);

const passedBy = { never: "nothing", autopilot: "`autopilot`", transfer: "the policy for transfers" } as const;

const gateRows = kinds.map((kind) => {
  const { title, answers, policy, risk, failureClass } = gateTable[kind];
  return [code(kind), title, codes(answers), passedBy[policy], risk, code(failureClass)];
});

const stateRows = Object.entries(successors).map(([state, next]) => [code(state), codes(next)]);

const artifactWords: Readonly<Record<ArtifactKind, string>> = {
  directive: "the input of an agent: instructions, variables, permissions, contract, marker",
  plan: "an answer that became the plan",
  agent: "any other accepted answer",
  reconciliation: "the answer that compares the plan with what was done",
  provider_wait: "a call that was sent and is waited for",
  provider_invocation: "how a local agent program was started, and how it ended",
  log: "stdout or stderr of a command or an agent, redacted",
  diff: "a captured change",
  metadata: "facts about a step, such as git's state",
  review_routing: "the risk tier of a change, who must review it, who is skipped and why",
  critic_trigger: "why the critic was called",
  revision_packet: "why work goes back to the implementer, and with what objective",
  context: "files that a decider asked to see",
  remote_context: "the repository on GitHub by coordinates, instead of files",
  transfer_manifest: "what would leave this machine: destination, purpose, sources, bytes, hashes, risk, preview",
  fanout: "the items of a fan-out and how each ended",
  report: "the final report",
  progress: "the progress packet: a bounded account for a planner without the history",
  memory_packet: "text of earlier runs, where your policy allows it",
  agent_board: "an exported board",
  evidence: "captured git status and diffs, integration reports",
  repo_findings: "what the inspection of the repository found",
};

interface FieldSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly items?: FieldSchema;
  readonly anyOf?: readonly FieldSchema[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
}

function kindOf({ type, enum: choices, const: only, items, anyOf, properties }: FieldSchema): string {
  if (choices) return choices.map(code).join(", ");
  if (only !== undefined) return code(only);
  if (anyOf) return anyOf.map(kindOf).join(" or ");
  if (items) return `list of ${kindOf(items)}`;
  return properties ? `object: ${codes(Object.keys(properties))}` : (type ?? "any");
}

/** The payload of each contract, field by field. The decision of orchestrator and planner is one shape. */
function contractSections(): string {
  const shown = contractNames.filter((name) => name !== "planner_decision");
  return shown
    .map((name) => {
      const { key } = responseContracts[name];
      const schema = responseJsonSchema(name) as FieldSchema;
      const payload = schema.properties?.["data"]?.properties?.[key] ?? {};
      const rows = Object.entries(payload.properties ?? {}).map(([field, of]) => [
        code(field),
        payload.required?.includes(field) ? "needed" : "",
        kindOf(of),
      ]);
      const title = name === "orchestrator_decision" ? "`orchestrator_decision`, `planner_decision`" : code(name);
      return `### ${title}\n\nIn \`data.${key}\`.\n\n${table(["field", "", "accepted"], rows)}`;
    })
    .join("\n\n");
}

const recipeRows = recipes.map(({ id, label, status, mode, reviewers, stopsOn, with: others }) => [
  code(id),
  label,
  code(mode),
  codes(reviewers),
  stopsOn.join("; "),
  codes(others),
  status === "available" ? "all of it" : "in part",
]);

const never = kinds.filter((kind) => gateTable[kind].policy === "never");

/** The parts by page. */
export const canonPages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "docs/guides/roles.md": {
    roles: table(["role", "label", "reads", "edits", "runs", "network", "answers with", "can satisfy"], roleRows),
    lanes: table(["lane", "role", "authority", "responsibility", "can satisfy a gate"], laneRows()),
  },
  "docs/guides/loop.md": {
    states: table(["state", "may be followed by"], stateRows),
    gates: table(["gate", "what it asks", "answers", "passed without you by", "risk", "failure class"], gateRows),
    "failure-classes": table(["class", "meaning", "gates that open with it"], classRows),
    "stop-reasons": codes(stopReasons),
  },
  "docs/guides/memory.md": {
    artifacts: table(
      ["kind", "holds"],
      artifactKinds.map((kind) => [code(kind), artifactWords[kind]]),
    ),
  },
  "docs/guides/answers.md": { contracts: contractSections() },
  "docs/guides/providers.md": {
    providers: table(["provider", "kind", "answers from", "changes files by", "login"], providerRows()),
  },
  "docs/guides/trust.md": {
    "never-passed": never.map((kind) => `- ${code(kind)}: ${gateTable[kind].title}`).join("\n"),
  },
  "docs/guides/recipes.md": {
    recipes: table(["recipe", "for", "mode", "reviewers", "stops on", "goes with", "done by the runtime"], recipeRows),
  },
};
