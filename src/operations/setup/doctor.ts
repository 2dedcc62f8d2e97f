// The machine: whether it is ready, where data would go, and preparing a repository.
import { define } from "../context/index.ts";
import { exitCodes, fail, transferPurposes } from "../../core/contract/index.ts";
import { choice, flag, optional, spelled, text, withDefault } from "../define/index.ts";
import { crew } from "./roles.ts";

export const init = define({
  name: "init",
  group: "Set up",
  summary: "Prepare a repository: its state folder and git's exclude file",
  more: "--import takes over the .thehood folder of the public preview. It shows its runs and what its settings would become; --yes then\nwrites it. A setting that would loosen your policy is never taken: you are shown the command.",
  examples: ["thehood init", "thehood init --import", "thehood init --import --yes"],
  effect: "moves",
  input: {
    import: flag("show what the folder of the public preview would become here"),
    yes: flag("with --import: write what it shows"),
  },
  /** It writes the agents and the limits of later runs. */
  decides: ({ import: taking, yes }) => taking && yes,
  async handle({ import: taking, yes }, { ports, folder }) {
    if (taking) return ports.setup.importPreview(folder, yes);
    if (yes)
      fail("invalid_input", "--yes is for --import.", {
        remedy: "Write: thehood init, or thehood init --import --yes",
      });
    return ports.setup.init(folder);
  },
  cli: {},
});

export const doctor = define({
  name: "doctor",
  group: "Set up",
  summary: "Which agents and sandbox can be used, and what is missing",
  more: "Asks no model and sends nothing, but with --ask: then each agent of the crew gets one tiny question, without anything of the repository, which shows that its login works and costs what one call costs. Exit code 1 when something is in the way of a run, also when no agent can be used here; --team stub works without one.",
  examples: ["thehood doctor", "thehood doctor --ask", "thehood doctor --json"],
  effect: "reads",
  input: {
    ask: flag("ask each agent of the crew one tiny question: only this shows that a login works", { only: "cli" }),
  },
  /** A call costs money. */
  decides: ({ ask }) => ask,
  async handle({ ask }, { ports, folder, signal }) {
    const report = await ports.setup.doctor(folder, ask ? { signal } : undefined);
    const { checkFindings } = await import("../run-data/preflight.ts");
    return { ...report, checks: [...report.checks, ...(await checkFindings(ports, report))] };
  },
  cli: {
    main: true,
    exit: ({ checks }) => (checks.some(({ state }) => state === "blocker") ? exitCodes.failure : exitCodes.ok),
  },
  mcp: {
    tool: "thehood_doctor",
    main: true,
    title: "Doctor",
    description: "What is installed, what protects the user, what is in the way. Calls no model.",
    output: { version: "string", node: "string", repo: "string?", checks: "array?", agents: "array?" },
    present: async (report) => (await import("../truncate.ts")).truncateToBytes(report, 5_800),
  },
});

export const access = define({
  name: "access",
  group: "Set up",
  summary: "Which providers would get your data with this crew, and which you allowed; no model is called",
  examples: ["thehood access --purpose repo_context", "thehood access revoke openai-api"],
  effect: "reads",
  input: {
    purpose: withDefault(
      choice(transferPurposes, "what would be sent", { mcp: { about: "What would be sent." } }),
      "repo_context",
    ),
    roles: spelled(crew, {
      only: "mcp",
      mcp: { name: "role_mapping", about: "Who would play which role; the configured crew without." },
    }),
  },
  handle: ({ purpose, roles }, { ports, folder }) => ports.setup.access(folder, purpose, roles),
  cli: {},
  mcp: {
    tool: "thehood_model_access",
    title: "Where data would go",
    description: "Preflight: destinations, what would cross, what to approve, what else is possible. Calls no model.",
    output: {
      localOnly: "boolean",
      purpose: "string",
      destinations: "array?",
      dataLeaves: "boolean",
      approval: "string?",
      fallbacks: "array?",
      allowed: "array?",
    },
    present: async (report) => (await import("../truncate.ts")).truncateToBytes(report, 5_800),
  },
});

export const accessRevoke = define({
  name: "access revoke",
  group: "Set up",
  summary: "Take back the permission for a destination: transfers to it are asked about again",
  more: "It counts from the next transfer on, also in runs that are being worked on.",
  examples: ["thehood access revoke openai-api", "thehood access revoke openai-api api.openai.com/v1"],
  effect: "decides",
  input: {
    provider: text("the provider, as thehood access lists it", { min: 1, max: 200 }),
    place: optional(text("one place of it; all of them without", { min: 1, max: 500 })),
  },
  handle: ({ provider, place }, { ports }) => ports.setup.revokeDestination(provider, place),
  cli: { args: ["provider", "place"] },
});
