// The words for each key of the configuration: one sentence and an example. The schema says the rest.
import { doubtKinds } from "../../src/core/contract/index.ts";

export interface KeyWords {
  readonly about: string;
  /** As a value of JSON. */
  readonly example?: unknown;
}

/** Keys that are read under a second name, as other tools spell them. */
const otherNames: Readonly<Record<string, string>> = {
  "approvalPolicy.mode": "policy.approvals",
  "approvalPolicy.externalTransfers": "policy.externalTransfers",
  "approvalPolicy.externalTransfers.mode": "policy.externalTransfers.mode",
  "approvalPolicy.externalTransfers.maxAutoApproveBytes": "policy.externalTransfers.maxAutoApproveBytes",
  externalTransfers: "policy.externalTransfers",
  "externalTransfers.mode": "policy.externalTransfers.mode",
  "externalTransfers.maxAutoApproveBytes": "policy.externalTransfers.maxAutoApproveBytes",
  "defaults.maxIterations": "policy.budgets.maxIterations",
  "defaults.fanoutMaxItems": "policy.fanoutMaxItems",
  "defaults.protectedTestPaths": "policy.protectedPaths",
  "defaults.editRequiresApproval": "policy.editRequiresApproval",
  "defaults.dependencyInstallRequiresApproval": "policy.dependencyInstallRequiresApproval",
  "defaults.networkRequiresApproval": "policy.networkRequiresApproval",
};

export const configWords: Readonly<Record<string, KeyWords>> = {
  ...Object.fromEntries(
    Object.entries(otherNames).map(([key, name]) => [
      key,
      { about: `Another name for \`${name}\`, which goes before it.` },
    ]),
  ),
  "policy.memory": {
    about:
      "What a planner is given of earlier runs of the repository. refs: references to their reports and packets. packets: their words too, with a transfer manifest of their own when they leave the machine.",
    example: "packets",
  },
  $schema: { about: "The schema by which your editor completes and checks this file." },
  version: { about: "The version of this file's format." },
  "policy.approvals": {
    about:
      "How often you are asked. manual: at the plan and at the result. auto_low_risk: small, safe work passes by itself. autopilot: everything that your policy allows passes.",
    example: "auto_low_risk",
  },
  "policy.externalTransfers.mode": {
    about: "Whether text may go to services on other machines without a question when it holds no private data.",
    example: "auto_low_risk",
  },
  "policy.externalTransfers.maxAutoApproveBytes": {
    about: "The largest message that may go out without a question of its own.",
    example: 200_000,
  },
  "policy.externalTransfers.rules": {
    about:
      "Rules by provider, model, purpose and risk; the first that fits decides: manual or auto_approve. No rule can pass a message in which something looks like a secret.",
    example: [{ provider: "claude-code", decision: "auto_approve" }],
  },
  "policy.budgets.maxIterations": {
    about: "The most answers of agents in one run, refused ones included.",
    example: 20,
  },
  "policy.budgets.maxTokens": { about: "The most tokens of one run; null for no limit.", example: 500_000 },
  "policy.budgets.maxMinutes": {
    about: "The most minutes of work of one run; waiting for you costs nothing; null for no limit.",
    example: 60,
  },
  "policy.budgets.maxUsd": {
    about:
      "The most money of one run in US dollars; null for no limit. Where a provider tells tokens only, the cost is estimated by your `prices`, else by list prices; a model without a known price counts as a dear one.",
    example: 5,
  },
  "policy.budgets.maxSchemaFailures": {
    about: "How often in a row one role may answer in a wrong form before the run stops.",
    example: 3,
  },
  "policy.budgets.maxRevisions": {
    about: "The number of repairs after which you are asked whether the run gets anywhere.",
    example: 5,
  },
  "policy.budgets.callTimeoutMs": { about: "The time limit of one call of an agent.", example: 1_800_000 },
  "policy.budgets.checkTimeoutMs": {
    about: "The time limit of one check. A check that needs longer is told as timed out.",
    example: 1_200_000,
  },
  "policy.allowedPaths": {
    about: "Globs from the top of the repository; when given, work may change nothing else.",
    example: ["src/**"],
  },
  "policy.disallowedPaths": { about: "Globs that work may never change.", example: ["infra/**"] },
  "policy.protectedPaths": {
    about: "Globs whose change needs an approval of its own, beside tests, lock files, CI and hooks.",
    example: ["schema/**"],
  },
  "policy.checks": {
    about:
      "Checks of your own, beside those that are found. Easier: thehood checks add. Each has id, kind (typecheck, lint, test, build, other), argv, and if you want cwd and timeoutMs.",
    example: [{ id: "api-tests", kind: "test", argv: ["npm", "run", "test:api"] }],
  },
  "policy.discoverChecks": {
    about: "Whether checks are looked for in the base commit. false: only the configured ones run.",
    example: true,
  },
  "policy.blindTests": {
    about:
      "Whether an agent that does not see the work writes tests for the goal, which the runtime runs on the base commit and on the work. Costs one more call in a run. Absent: off.",
    example: "on",
  },
  "policy.sabotage": {
    about: "Whether checks are also run on work that is broken on purpose, to see that they can fail.",
    example: "on",
  },
  "policy.doubts.ask": {
    about: `On autopilot, work with a doubt of these kinds is one question before it is integrated. Kinds: ${doubtKinds.join(", ")}.`,
    example: ["unreached", "replay"],
  },
  "policy.doubts.accept": {
    about:
      "Doubts of these kinds are taken: they ask nothing, and a run that has no other doubt ends with success and exit code 0.",
    example: ["untried"],
  },
  "policy.editRequiresApproval": { about: "Whether applying work asks you.", example: true },
  "policy.dependencyInstallRequiresApproval": {
    about: "Whether a command that installs packages asks you.",
    example: true,
  },
  "policy.networkRequiresApproval": {
    about: "Whether a command that uses the network asks you.",
    example: true,
  },
  "policy.hostMayApprove": {
    about: "Whether a program that drives runs (an MCP host) may put a gate before you and carry your answer.",
    example: false,
  },
  "policy.autopilotMayPush": {
    about: "Whether a run on autopilot pushes its branch and opens its draft pull request without asking you.",
    example: false,
  },
  "policy.fanoutMaxItems": { about: "The most agents that one fan-out may ask.", example: 8 },
  "policy.fanoutParallel": { about: "How many of them may be out at once.", example: 4 },
  "policy.githubConnectorConfirmed": {
    about: "You confirm that ChatGPT's own GitHub connector may read this repository.",
    example: false,
  },
  "policy.integrate": {
    about: "late: work is verified first and applied last. early: applied first and verified in the checkout.",
    example: "late",
  },
  "policy.maxAutoApproveBytes": {
    about: "In a repository's file: a smaller limit for messages that go out without a question.",
    example: 100_000,
  },
  "approvalPolicy.mode": { about: "Another name for policy.approvals.", example: "manual" },
  roles: {
    about:
      "The agent of each role, as provider:model. Roles: orchestrator, planner, researcher, implementer, qa, verifier, critic, citation.",
    example: { implementer: "codex-cli:default", verifier: "claude-code:sonnet" },
  },
  fallbacks: {
    about: "Agents that take a role when its agent fails, in order; any for every role without a list of its own.",
    example: { implementer: ["claude-code:opus"], any: ["codex-cli:default"] },
  },
  providers: {
    about:
      "Settings of agents by their name: program, args, passEnv, models (short names), ownFiles, mayRead (paths of a checkout that hold logins by their name and may be read all the same); kind (acp or openai-compatible), baseUrl and apiKeyEnv make a provider of your own. A key itself never stands in a file.",
    example: { local: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:11434/v1" } },
  },
  teams: {
    about: "Teams of your own, for --team and thehood teams apply. Each has roles, and about for the list.",
    example: {
      mine: {
        about: "Claude builds, Codex reviews",
        roles: { implementer: "claude-code:opus", verifier: "codex-cli:default" },
      },
    },
  },
  prices: {
    about:
      "Prices of agents in US dollars for a million tokens, for the estimate where a provider tells tokens only; they go before our list. The first agent that fits counts; a * at its end stands for all models that begin so.",
    example: [{ agent: "codex-cli:gpt-5*", input: 1.25, cached: 0.125, output: 10 }],
  },
  destinations: {
    about:
      "Places that messages may go to without a question, as you allowed them at a gate, with date and bounds. thehood access lists and revokes them.",
  },
  "prune.automatic": {
    about: "Whether what no record needs is removed without a command. Logs and kept work never are.",
    example: false,
  },
  "prune.scratchDays": {
    about: "Scratch trees and texts of killed processes are removed when they are older than this. Absent: 7.",
    example: 7,
  },
  "prune.scratchMegabytes": {
    about: "When they are larger together, those older than two days are removed too. Absent: 2048.",
    example: 2_048,
  },
  "prune.artifactDays": {
    about: "Artifacts that no event names are removed when they are older than this. Absent: 30.",
    example: 30,
  },
  "prune.artifactMegabytes": {
    about: "When they are larger together, those older than two days are removed too. Absent: 512.",
    example: 512,
  },
  "notify.desktop": {
    about: "A notice on the desktop when a gate begins to wait and when a run has ended.",
    example: true,
  },
  "notify.bell": { about: "The same as a bell in the terminal of the process that works.", example: true },
  "notify.webhook": {
    about: "An address that gets the notice as a JSON object by POST.",
    example: "https://hooks.example.com/thehood",
  },
  "notify.push": {
    about: "An address that gets the notice as plain text by POST, as ntfy takes it.",
    example: "https://ntfy.example.com/my-topic",
  },
  "notify.command": {
    about: "A program of yours with its arguments; it gets the JSON object on its standard input.",
    example: ["/usr/local/bin/tell-me", "--loud"],
  },
  "notify.page": {
    about: "The address at which you open the page of thehood web: notices link the run there.",
    example: "https://desk.example.com:7443/",
  },
  "store.url": {
    about: "A PostgreSQL database that several machines share. Also: the variable THEHOOD_DATABASE_URL.",
    example: "postgres://thehood@db.example.com/thehood",
  },
  "store.team": { about: "Runs of other teams in the same database are not seen.", example: "web" },
  "store.artifacts": {
    about: "A place for large artifacts, such as an S3 address.",
    example: "s3://bucket/thehood",
  },
  "secrets.rules": {
    about: "Kinds of secrets of your own: a label and a regular expression.",
    example: [{ label: "our_token", pattern: "ourtok_[0-9a-f]{32}" }],
  },
  "secrets.allow": {
    about: "SHA-256 hashes of findings that are no secrets. thehood check secrets tells the hash.",
  },
  checks: {
    about: "Checks that everybody who works on this repository has, beside those that are found.",
    example: [{ id: "api-tests", kind: "test", argv: ["npm", "run", "test:api"] }],
  },
  protectedPaths: { about: "Globs whose change needs an approval of its own.", example: ["schema/**"] },
  disallowedPaths: { about: "Globs that work may never change.", example: ["infra/**"] },
};
