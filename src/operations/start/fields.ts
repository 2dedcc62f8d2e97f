// The fields of every operation that begins a run, in the order in which help shows them.
import { agentNames, approvalModes, integrationOrders, assignableRoles, teamNames } from "../../core/contract/index.ts";
import {
  anything,
  checked,
  choice,
  flag,
  list,
  loosening,
  number,
  optional,
  record,
  spelled,
  text,
  whole,
  type Field,
} from "../define/index.ts";
import { assignment, keepSecrets, waitSeconds } from "../run-data/fields.ts";

export const goalOf = (help: string) =>
  text(`${help}; - or @file reads it`, { trim: true, min: 1, max: 20_000, cli: { orFile: true } });

const line = text("a line", { trim: true, min: 1, max: 4_000 });
const shellLine = spelled(line, { cli: { value: "command" } });
const insideGlob = checked(
  text("a glob", { min: 1, max: 500, cli: { value: "glob" } }),
  (glob) => !/^([/\\~]|[A-Za-z]:)/.test(glob) && !glob.split(/[/\\]/).includes(".."),
  "a path that is named from the top of the repository and stays in it, such as src/**",
);

/** Files that only look like tests. A pattern begins with a name, so that it cannot mean all tests of a project. */
export const productGlobs = list(
  checked(
    insideGlob,
    (glob) => !/[*?[\]{}!]/.test(glob.replace(/^(\.\/)+/, "").split("/")[0] ?? ""),
    "a path that begins with the name of a file or folder, such as src/openapi.spec.js or src/fixtures/**",
  ),
  "a file that belongs to the product although its name looks like a test's; a test that the project runs stays a test",
  { max: 200, cli: { name: "product" } },
);

/** The citation role answers only where it is summoned: it has no option of its own here. */
const crewOptions = assignableRoles
  .filter((role) => role !== "citation")
  .map((role) => ({ key: role, help: `who plays ${role} in this run, as provider:model` }));

const roles = record(assignableRoles, assignment("an agent"), "who plays which role", {
  cli: { keys: crewOptions, value: "p:m", suggest: agentNames },
  mcp: { name: "role_mapping" },
});

/** A field that only a person may say: it loosens the run, or is of use at a terminal only. */
const personOnly = <F extends Field>(field: F): F => spelled(field, { only: "cli" });

export const startFields = {
  team: personOnly(
    optional(
      text("a team for this run (see thehood teams)", {
        min: 1,
        max: 60,
        cli: { value: "name", suggest: teamNames },
      }),
    ),
  ),
  roles,
  constraints: list(line, "something the work must respect", { max: 50, cli: { name: "constraint" } }),
  acceptanceCriteria: list(line, "what must be true at the end", { max: 50, cli: { name: "acceptance" } }),
  checks: personOnly(
    list(shellLine, "a validation command, instead of those found in the project", {
      max: 50,
      cli: { name: "check" },
    }),
  ),
  noChecks: loosening(personOnly(flag("you waive validation for this run; the record says so")), (given) => given),
  waive: loosening(
    personOnly(list(shellLine, "let this check stand as it is, if this work did not break it", { max: 50 })),
    ({ length }) => length > 0,
  ),
  productPaths: personOnly(productGlobs),
  allowedPaths: list(insideGlob, "the only paths that may change", {
    max: 200,
    cli: { name: "allowed-path" },
  }),
  disallowedPaths: list(insideGlob, "paths that must not change", {
    max: 200,
    cli: { name: "disallowed-path" },
  }),
  approvals: loosening(
    personOnly(optional(choice(approvalModes, "what may pass without you", { cli: { value: "mode" } }))),
    (given) => given !== undefined && given !== "manual",
  ),
  integrate: personOnly(
    optional(
      choice(integrationOrders, "late: work is verified before it touches the checkout; early: after", {
        cli: { value: "order" },
      }),
    ),
  ),
  careful: personOnly(
    flag(
      "another agent also writes tests for the goal, without seeing the work; the runtime runs them (one more call)",
    ),
  ),
  maxIterations: optional(whole("provider answers after which the run asks", { min: 1, max: 1_000 })),
  maxTokens: optional(whole("tokens after which the run asks", { positive: true })),
  maxMinutes: optional(number("working minutes after which the run asks", { positive: true })),
  maxUsd: optional(
    number("US dollars after which the run asks; estimated from tokens where a provider tells no cost", {
      positive: true,
    }),
  ),
  stubScript: personOnly(
    anything("what the stub provider plays in this run (a JSON file, or inline JSON)", {
      words: "a stub script (docs/guides/stub.md shows its shape)",
      cli: { value: "file" },
    }),
  ),
  commit: personOnly(flag("commit the work when the run completes, with signed evidence about it")),
  toBranch: optional(
    text("put the verified work on this new branch as a commit with signed evidence; your checkout is not touched", {
      min: 1,
      max: 200,
      only: "cli",
      cli: { name: "branch", value: "name" },
    }),
  ),
  keepSecrets,
  noLoop: personOnly(flag("create the run and stop")),
  maxCycles: optional(whole("stop after this many rounds of the runner", { min: 1, only: "cli" })),
  waitSeconds,
};

/** For operations that a program may ask for with fewer words than a person. */
export const readingFields = {
  ...startFields,
  roles: personOnly(roles),
  allowedPaths: personOnly(startFields.allowedPaths),
  disallowedPaths: personOnly(startFields.disallowedPaths),
  maxTokens: personOnly(startFields.maxTokens),
  maxMinutes: personOnly(startFields.maxMinutes),
  maxUsd: personOnly(startFields.maxUsd),
};
