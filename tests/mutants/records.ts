// Records of a run: what each field promises, broken one by one.
import { allIn, type Mutant } from "./mutant.ts";

export const records: readonly Mutant[] = [
  ...allIn(
    "src/core/machine/review/check-comparison.ts",
    [
      "src/core/machine/review/verdicts.test.ts#R-4]",
      "src/core/machine/review/checks.test.ts#R-4]",
      "src/core/machine/review/account.test.ts#R-4]",
      "src/core/machine/view/final-report.test.ts#R-4]",
    ],
    [
      [
        "V201",
        "R-4 a lint check that broke sends the work back",
        '[] : compareChecks(run, pass).filter(({ standing }) => standing === "regression");',
        '[] : compareChecks(run, pass).filter(({ kind, standing }) => standing === "regression" && kind !== "lint");',
      ],
    ],
  ),
  ...allIn(
    "src/core/machine/view/status.ts",
    ["src/core/machine/view/view.test.ts#R-22]"],
    [
      [
        "V202",
        "R-22 a status shows a preview of at most 300 characters",
        "preview: outcome.markdown ? clip(outcome.markdown.preview, most(300)) : null,",
        "preview: outcome.markdown ? clip(outcome.markdown.preview, most(3_000)) : null,",
      ],
      [
        "V220",
        "R-22 a cut preview says that it is cut",
        "truncated: (outcome.markdown?.truncated ?? false) || (outcome.markdown?.preview.length ?? 0) > most(300),",
        "truncated: outcome.markdown?.truncated ?? false,",
      ],
    ],
  ),
  ...allIn(
    "src/runtime/effects/redaction.ts",
    ["src/runtime/effects/call/call.test.ts#R-23]"],
    [
      [
        "V203",
        "R-23 the record of an agent command is stored redacted",
        "JSON.stringify(cleanDeep(store.text, value), null, 2)",
        "JSON.stringify(value, null, 2)",
      ],
    ],
  ),
  ...allIn(
    "src/runtime/effects/call/conclude.ts",
    ["src/runtime/effects/call/call.test.ts#R-23]"],
    [
      [
        "V204",
        "R-23 a command that ran out of time is recorded as such",
        'timedOut: answer.outcome === "timed_out",\n    stdoutLength',
        "timedOut: false,\n    stdoutLength",
      ],
      [
        "V221",
        "R-23 stderr of an agent command has its own log",
        "stderrRef: stderr?.ref ?? null,",
        "stderrRef: stdout?.ref ?? null,",
      ],
      [
        "V222",
        "R-23 the record counts the bytes of stderr",
        "stderrLength: invocation.stderr.length,",
        "stderrLength: invocation.stdout.length,",
      ],
      [
        "V223",
        "R-23 an agent that did not exit has no exit code",
        "    exitCode: invocation.exitCode,\n    signal",
        "    exitCode: invocation.exitCode ?? 0,\n    signal",
      ],
    ],
  ),
  ...allIn(
    "src/workspace/checkout/worktree/ignored.ts",
    ["src/core/machine/review/account.test.ts#R-30]", "src/workspace/checkout/worktree/keeping.test.ts#R-30]"],
    [
      [
        "V205",
        "R-30 ignored files in config/ and secrets/ are kept",
        "(?:node_modules|",
        "(?:node_modules|config|secrets|",
      ],
    ],
  ),
  ...allIn(
    "src/workspace/checkout/apply/plan.ts",
    [
      "src/core/machine/gate/policy.test.ts#R-31]",
      "src/core/machine/loop.test.ts#R-31]",
      "src/workspace/checkout/apply/apply.test.ts#R-31]",
    ],
    [
      [
        "V206",
        "R-31 a staged edit of the user is in the way",
        "likeness === undefined || inTheWay || view.stagedByUser(path, [from, to])",
        "likeness === undefined || inTheWay",
      ],
    ],
  ),
  ...allIn(
    "src/runtime/effects/checks/run-check.ts",
    ["tests/scenarios/acceptance.test.ts#R-33] a check is recorded"],
    [
      [
        "V207",
        "R-33 stderr of a check is captured",
        'stderr: await putLog(deps, ran.command.stderr, `stderr of ${command} on the ${variant} tree`, "strip"),',
        "stderr: null,",
      ],
      [
        "V224",
        "R-33 the folder of a check is recorded",
        "    argv: check.argv,\n    cwd: check.cwd,\n    exitCode",
        '    argv: check.argv,\n    cwd: "",\n    exitCode',
      ],
      [
        "V225",
        "R-33 the exit code of a check is recorded",
        "    exitCode: ran.command.exitCode,\n    durationMs",
        '    exitCode: ran.result === "passed" ? 0 : null,\n    durationMs',
      ],
    ],
  ),
  ...allIn(
    "src/core/machine/review/routing.ts",
    [
      "src/core/machine/review/routing.test.ts#R-40]",
      "src/core/machine/loop.test.ts#R-40]",
      "src/core/machine/view/records.test.ts#R-40]",
    ],
    [
      [
        "V208",
        "R-40 documentation that no check judges is not of low risk",
        "const low = work.docsOnly && bad === 0 && all.length > 0;",
        "const low = work.docsOnly && bad === 0;",
      ],
    ],
  ),
  ...allIn(
    "src/core/machine/view/crew-lanes.ts",
    [
      "src/core/machine/rules/fanout.test.ts#R-45]",
      "src/core/machine/rules/side.test.ts#R-45]",
      "src/core/machine/view/records.test.ts#R-45]",
      "src/core/machine/view/view.test.ts#R-45]",
      "src/core/machine/view/crew-lanes.test.ts#R-45]",
    ],
    [
      [
        "V209",
        "R-45 only lanes that can satisfy a gate say so",
        "return [{ ...lane, required, canSatisfyGate, ...numbers, refs }];",
        "return [{ ...lane, required, canSatisfyGate: canSatisfyGate || true, ...numbers, refs }];",
      ],
    ],
  ),
  ...allIn(
    "src/core/machine/rules/decision.ts",
    ["src/core/machine/rules/reading.test.ts#R-74]"],
    [
      [
        "V210",
        "R-74 a handoff that requires more evidence completes no plan",
        "if (brief.requiresMoreEvidence) return true;",
        'if (brief.requiresMoreEvidence && brief.target !== "implementer") return true;',
      ],
    ],
  ),
  ...allIn(
    "src/core/machine/evolve/phases.ts",
    ["src/core/machine/review/failure-class.test.ts#R-17]", "src/core/machine/loop.test.ts#R-17]"],
    [
      [
        "V211",
        "R-17 a gate that a person rejects names the class of the end",
        '(last.answer === "abort" || last.answer === "reject")',
        'last.answer === "abort"',
      ],
    ],
  ),
  ...allIn(
    "src/core/machine/view/status.ts",
    ["src/core/machine/review/failure-class.test.ts#R-17]", "src/core/machine/loop.test.ts#R-17]"],
    [
      [
        "V212",
        "R-17 a gate names its class in the status",
        "    failureClass: currentFailure(run),\n    gate: gate",
        "    failureClass: isEnded(run.phase) ? currentFailure(run) : null,\n    gate: gate",
      ],
    ],
  ),
  ...allIn(
    "src/core/machine/directive/draft.ts",
    [
      "src/core/machine/loop.test.ts#R-20]",
      "src/core/machine/view/records.test.ts#R-20]",
      "src/runtime/engine/engine.test.ts#R-20]",
    ],
    [
      ["V213", "R-20 the directive names the constraints", "constraints: created.constraints,", "constraints: [],"],
      [
        "V214",
        "R-20 the directive names the disallowed paths",
        "disallowedPaths: scope.disallowedPaths,",
        "disallowedPaths: [],",
      ],
      [
        "V215",
        "R-20 the directive names the acceptance criteria",
        "acceptanceCriteria: scope.acceptanceCriteria,",
        "acceptanceCriteria: [],",
      ],
    ],
  ),
  ...allIn(
    "src/runtime/engine/directive.ts",
    [
      "src/core/machine/loop.test.ts#R-20]",
      "src/core/machine/view/records.test.ts#R-20]",
      "src/runtime/engine/engine.test.ts#R-20]",
    ],
    [
      [
        "V216",
        "R-20 the directive holds the schema of the answer",
        "outputContract: { ...outputContract, schema: responseJsonSchema(call.contract) },",
        "outputContract,",
      ],
      [
        "V217",
        "R-20 the directive remembers earlier runs",
        "canonicalMemory(run, recent), removed)",
        "canonicalMemory(run, []), removed)",
      ],
    ],
  ),
  ...allIn(
    "src/core/machine/directive/context.ts",
    [
      "src/core/machine/decide/effect-failed.test.ts#R-21]",
      "src/core/machine/call/trouble.test.ts#R-21]",
      "src/core/machine/view/records.test.ts#R-21]",
    ],
    [
      [
        "V218",
        "R-21 the repeated call is told the problems of the answer before",
        "? outcome.problems.slice(0, few) : null",
        "? [] : null",
      ],
    ],
  ),
  ...allIn(
    "src/core/machine/decide/answered.ts",
    ["src/core/machine/view/view.test.ts#R-22]"],
    [
      [
        "V219",
        "R-22 the record of an answer holds a bounded preview",
        "const previewChars = 600;",
        "const previewChars = 60_000;",
      ],
    ],
  ),
];
