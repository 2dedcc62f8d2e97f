// The exit codes of both programs as rows of code and meaning.
import { exitCodes } from "../../src/core/contract/index.ts";
import { resultStatuses, statusExit } from "../../src/core/contract/transport/index.ts";

const codes: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: "It worked.",
  failure: "It failed; the message says why.",
  badInput: "The input is wrong: an unknown word, a bad value, a broken configuration.",
  approvalRequired: "The run waits for you at a gate.",
  providerUnavailable:
    "No agent can answer: not installed, not logged in, out of reach. A run that had begun is kept, at a gate.",
  verificationFailed:
    "Checks or reviewers refused the work, and no answers are left to repair it; or a record was altered.",
  permissionDenied: "It is not allowed here.",
  schemaInvalid: "An agent keeps answering in a wrong form. The run is kept, at a gate.",
  aborted: "The run was aborted.",
  doubts:
    "The run completed with doubts (`completed_with_doubts`): the work is done, and the report names what the runtime could not prove. `policy.doubts.accept` names the kinds that you take as a success.",
};

/** The exit codes of thehood as rows of code and meaning. */
export const exitRows: readonly (readonly [number, string])[] = [
  ...Object.entries(exitCodes).map(([name, code]) => [code, codes[name as keyof typeof codes]] as const),
  [130, "You stopped it with Ctrl-C; the run is kept, and thehood continue goes on with it."],
];

/** Those of oracle follow the status of its result. */
export const oracleExits: readonly (readonly [number, string])[] = resultStatuses.map(
  (status) => [statusExit[status], status.replaceAll("_", " ")] as const,
);
