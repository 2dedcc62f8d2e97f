// `doctor`: the machine, looked at without asking a model.
import { exitCodes } from "../../core/contract/index.ts";
import { define } from "../context/index.ts";

export const doctor = define({
  name: "doctor",
  group: "Set up",
  summary: "Which agents and sandbox can be used, and what is missing",
  more: "Asks no model and sends nothing. Exit code 1 when something is in the way of a run, also when no agent can be used here; --team stub works without one.",
  examples: ["thehood doctor", "thehood doctor --json"],
  effect: "reads",
  input: {},
  async handle(_, { ports, folder }) {
    const report = await ports.setup.doctor(folder);
    const { checkFindings } = await import("../run-data/preflight.ts");
    return { ...report, checks: [...report.checks, ...(await checkFindings(ports, report))] };
  },
  cli: {
    main: true,
    exit: ({ checks }) =>
      checks.some(({ state }) => state === "blocker") ? exitCodes.failure : exitCodes.ok,
  },
  mcp: {
    tool: "thehood_doctor",
    main: true,
    title: "Doctor",
    description: "What is installed, what protects the user, what is in the way. Calls no model.",
    output: { version: "string", node: "string", repo: "string?", checks: "array?", agents: "array?" },
    present: async (report) => (await import("../truncate/index.ts")).truncateToBytes(report, 5_800),
  },
});
