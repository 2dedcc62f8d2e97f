// Reviews and views of a run: what each names, broken one by one.
import { allIn, type Mutant } from "./mutant.ts";

export const views: readonly Mutant[] = [
  ...allIn(
    "src/core/machine/review/routing.ts",
    [
      "src/core/machine/review/routing.test.ts#R-40]",
      "src/core/machine/loop.test.ts#R-40]",
      "src/core/machine/view/records.test.ts#R-40]",
    ],
    [
      [
        "V226",
        "R-40 a review routing counts the failing checks",
        "validationFailureCount: bad,",
        "validationFailureCount: 0,",
      ],
      [
        "V227",
        "R-40 a verifier is required whatever the risk",
        "qa: wantsQa && hasQa, verifier: true, critic: false",
        'qa: wantsQa && hasQa, verifier: tier !== "low", critic: false',
      ],
      [
        "V228",
        "R-40 without a verifier the user is asked",
        'run.roles.verifier ? "run_verifier" : "ask_user"',
        '"run_verifier"',
      ],
      [
        "V229",
        "R-40 work on a protected path is of high risk",
        "work.protectedPaths.length > 0 && `",
        "work.protectedPaths.length > 99 && `",
      ],
    ],
  ),
  ...allIn(
    "src/core/machine/review/routing.ts",
    ["src/core/machine/review/routing.test.ts#R-41]"],
    [
      [
        "V230",
        "R-41 QA without an agent is skipped with its reason",
        'else if (!hasQa) skipped.push({ role: "qa", reason: "no agent is assigned to QA" });',
        'else if (!hasQa) skipped.push({ role: "qa", reason: "" });',
      ],
    ],
  ),
  ...allIn(
    "src/core/machine/review/critic.ts",
    ["src/core/machine/review/verdicts.test.ts#R-42]", "src/core/machine/view/records.test.ts#R-42]"],
    [
      [
        "V231",
        "R-42 the trigger names the role that caused it",
        "sourceRoles: [cause.source],",
        'sourceRoles: ["verifier" as const],',
      ],
      [
        "V232",
        "R-42 the trigger says when no critic is assigned",
        "reason: called ? cause.reason : `${cause.reason}; no critic is assigned`,",
        "reason: cause.reason,",
      ],
      [
        "V233",
        "R-42 a critic is called for an inconclusive QA",
        'if (qa === "needs_more_evidence" || qa === "blocked")',
        'if (qa === "blocked")',
      ],
    ],
  ),
  ...allIn(
    "src/core/machine/review/revision.ts",
    [
      "src/core/machine/review/verdicts.test.ts#R-43]",
      "src/core/machine/review/converging.test.ts#R-43]",
      "src/core/machine/view/records.test.ts#R-43]",
      "src/core/machine/view/final-report.test.ts#R-43]",
    ],
    [
      [
        "V234",
        "R-43 a packet holds its criteria",
        "const acceptanceCriteria = (named.length > 0 ? named : stock).slice(0, most);",
        "const acceptanceCriteria = stock.slice(0, most);",
      ],
      [
        "V235",
        "R-43 a packet names all of its evidence",
        "(ref ? [ref.ref] : [])))].slice(0, most);",
        "(ref ? [ref.ref] : [])))].slice(0, 1);",
      ],
      [
        "V236",
        "R-43 the same work twice is a circle",
        "  if (earlier)\n    return {",
        "  if (earlier && passes.length > 99)\n    return {",
      ],
    ],
  ),
  ...allIn(
    "src/core/machine/view/handoffs.ts",
    ["src/core/machine/view/records.test.ts#R-44]", "src/core/machine/view/view.test.ts#R-44]"],
    [
      ["V237", "R-44 a trail ends with the next packet", "seq > packet.seq && seq <= next", "seq > packet.seq"],
      [
        "V238",
        "R-44 a trail names the review of the critic",
        "[pass.qa, pass.verifier, pass.critic]",
        "[pass.qa, pass.verifier]",
      ],
      [
        "V239",
        "R-44 a trail names the completion",
        'run.phase.state === "completed" && repair?.outcome === null ? run.seq : null',
        "null",
      ],
      [
        "V240",
        "R-44 a repair that was sent back again is superseded",
        'if (repair.outcome) return "superseded";',
        'if (repair.outcome) return "reviewed";',
      ],
      ["V241", "R-44 a trail names its repair", "repair?.captured?.patch?.patch.ref ?? acceptedOf", "acceptedOf"],
    ],
  ),
  ...allIn(
    "src/core/machine/view/rows.ts",
    [
      "src/core/machine/rules/fanout.test.ts#R-45]",
      "src/core/machine/rules/side.test.ts#R-45]",
      "src/core/machine/view/records.test.ts#R-45]",
      "src/core/machine/view/view.test.ts#R-45]",
      "src/core/machine/view/crew-lanes.test.ts#R-45]",
    ],
    [
      ["V242", "R-45 a role without an agent is nobody's", 'kind: assigned ? "agent" : "nobody",', 'kind: "agent",'],
      [
        "V246",
        "R-45 a responsibility behind a gate is blocked",
        'run.phase.state === "awaiting_approval" ? "blocked" : "in_progress"',
        '"in_progress"',
      ],
    ],
  ),
  ...allIn(
    "src/core/machine/view/agent-board.ts",
    [
      "src/core/machine/rules/fanout.test.ts#R-45]",
      "src/core/machine/rules/side.test.ts#R-45]",
      "src/core/machine/view/records.test.ts#R-45]",
      "src/core/machine/view/view.test.ts#R-45]",
      "src/core/machine/view/crew-lanes.test.ts#R-45]",
    ],
    [
      ["V243", "R-45 the board tells required from advisory", 'one.required ? "required" : "advisory"', '"required"'],
      [
        "V244",
        "R-45 a card tells what its role may do",
        "permissions: { read, edit, run: mayRun, network },",
        "permissions: { read, edit: true, run: mayRun, network },",
      ],
      [
        "V245",
        "R-45 an agent that failed needs attention on the board",
        'if (lane.state === "failed") return "needs_attention";\n',
        "",
      ],
    ],
  ),
  ...allIn(
    "src/core/machine/view/handoffs.ts",
    [
      "src/core/machine/view/records.test.ts#R-46]",
      "src/core/machine/view/handoffs.test.ts#R-46]",
      "src/core/machine/view/view.test.ts#R-46]",
    ],
    [
      ["V247", "R-46 an integration names its report", "artifacts: [pass.integration.report.ref],", "artifacts: [],"],
      [
        "V248",
        "R-46 a handoff comes from the role before",
        "from: before ? labelOf(before.record.role) : operatorOwner.label,",
        "from: operatorOwner.label,",
      ],
      [
        "V249",
        "R-46 completion is handed over with the report",
        "artifacts: run.report ? [run.report.report.ref] : [],",
        "artifacts: [],",
      ],
      [
        "V250",
        "R-46 a gate hands over what it shows",
        "reason: `${gate.kind}: waiting`,\n    gateId: gate.id,\n    artifacts: gate.subject.refs.map(({ ref }) => ref),",
        "reason: `${gate.kind}: waiting`,\n    gateId: gate.id,\n    artifacts: [],",
      ],
    ],
  ),
  ...allIn(
    "src/core/machine/view/rows.ts",
    [
      "src/core/machine/rules/side.test.ts#R-47]",
      "src/core/machine/view/records.test.ts#R-47]",
      "src/core/machine/view/view.test.ts#R-47]",
    ],
    [
      [
        "V251",
        "R-47 a passing QA satisfies nothing",
        'return { state: "satisfied", satisfied: canSatisfy, why };',
        'return { state: "satisfied", satisfied: true, why };',
      ],
      [
        "V252",
        "R-47 a summoned answer is shown beside the review",
        'job.job === "summon" && job.request.role === role && end?.artifact',
        'job.job === "summon" && job.request.role !== role && end?.artifact',
      ],
      [
        "V253",
        "R-47 a regression does not satisfy validation",
        'state: "needs_revision",\n      satisfied: false,\n      why: `Passed before',
        'state: "needs_revision",\n      satisfied: true,\n      why: `Passed before',
      ],
    ],
  ),
  ...allIn(
    "src/core/machine/view/final-report.ts",
    [
      "src/core/machine/review/checks.test.ts#R-75]",
      "src/core/machine/view/memory.test.ts#R-75]",
      "src/core/machine/view/records.test.ts#R-75]",
      "src/core/machine/view/final-report.test.ts#R-75]",
      "src/core/machine/view/view.test.ts#R-75]",
    ],
    [
      ["V254", "R-75 the report names who completed the run", "completedBy: ending.by,", 'completedBy: "runtime",'],
      ["V255", "R-75 the report names the outputs of a command", "stderr: check.stderr?.ref ?? null,", "stderr: null,"],
      [
        "V256",
        "R-75 the report tells an automatic approval from a person's",
        "entry.auto === null ? `${entry.by.kind} (${entry.by.surface})` : `policy: ${entry.auto}`",
        "`${entry.by.kind} (${entry.by.surface})`",
      ],
      [
        "V258",
        "R-75 the report names the changed paths",
        "changedPaths: [...new Set(result ? deliveredPaths(run, result.pass) : [])].sort(),",
        "changedPaths: [] as string[],",
      ],
      [
        "V262",
        "R-75 the report names the changed paths of work that stands on a branch",
        "integrated.length > 0 ? integrated : (captured?.patch?.changedPaths ?? [])",
        "integrated",
      ],
    ],
  ),
  ...allIn(
    "src/core/machine/view/progress-packet.ts",
    [
      "src/core/machine/review/checks.test.ts#R-75]",
      "src/core/machine/view/memory.test.ts#R-75]",
      "src/core/machine/view/records.test.ts#R-75]",
      "src/core/machine/view/final-report.test.ts#R-75]",
      "src/core/machine/view/view.test.ts#R-75]",
    ],
    [
      ["V257", "R-75 the packet says how much it left out", "omitted: all.length - items.length", "omitted: 0"],
      ["V259", "R-75 the packet names the responses of the agents", "ref: accepted.response.ref,", 'ref: "",'],
      ["V260", "R-75 the packet keeps the newest items", "all.slice(-limit)", "all.slice(0, limit)"],
    ],
  ),
];
