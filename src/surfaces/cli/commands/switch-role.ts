// Giving a role to an agent: for a repository, for the user, or in one run that is under way.
import { assignableRoles, fail } from "../../../contract/index.ts";
import type { CommandBody } from "../spec.ts";
import { person } from "./decide.ts";
import { driveRun } from "./finish.ts";
import { assignRole } from "./setup.ts";

export const setRole: CommandBody = {
  async run(call) {
    const id = call.flags.text("run");
    if (id === undefined) return assignRole.run(call);
    const role = assignableRoles.find((name) => name === call.words["role"]);
    if (!role)
      fail("invalid_input", `There is no role "${call.words["role"] ?? ""}" to assign.`, {
        remedy: `Roles: ${assignableRoles.join(", ")}`,
      });
    await using desk = await call.given.runs(call.repo);
    const runId = await desk.find(id);
    const assignment = await desk.resolve(call.words["agent"] ?? "", "run");
    await desk.submit(runId, { type: "switch_role", role, assignment, by: person });
    return await driveRun(call, desk, runId);
  },
};
