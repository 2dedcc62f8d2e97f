// Approvals in a request that were not typed for it: stored in a session, handed over on a pipe, or from a config file. A
// person gave them for one run; a process of an agent does not repeat them.
import { fail } from "../../../core/contract/index.ts";
import type { RunRequest } from "../../../core/contract/transport/index.ts";
import type { OracleRunDeps } from "../ports.ts";

export function refuseApprovals(
  deps: Pick<OracleRunDeps, "startedByRun">,
  { git, secrets }: Pick<RunRequest, "git" | "secrets">,
): void {
  const held = [
    ...(git.approvedPaths.length > 0 ? [`the approval of ${git.approvedPaths.join(", ")}`] : []),
    ...(secrets.keep === true ? ["the permission to send secrets"] : []),
  ];
  if (held.length === 0 || !deps.startedByRun()) return;
  fail(
    "permission_denied",
    `The request holds ${held.join(" and ")}. An agent or a check of a run started this process, so it decides nothing.`,
    { remedy: "Ask anew without it, or let a person type this command in a terminal of their own." },
  );
}
