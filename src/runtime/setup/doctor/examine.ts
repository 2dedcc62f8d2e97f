// The state of this machine, found by looking and trying, without calling a model.
import { existsSync } from "node:fs";
import process from "node:process";
import { badCheck, okCheck, runDoctorCheck, type DoctorCheck } from "../../../core/contract/index.ts";
import type { AgentBrief } from "../../../core/contract/setup/index.ts";
import { crewBrief, type Agent } from "../../../core/crew/index.ts";
import { overruled, userPolicy } from "../../../core/crew/policy/index.ts";
import type { RepositoryLocation } from "../../../platform/git/index.ts";
import { glanceMs, probeAgents } from "../agents.ts";
import type { SetupDeps } from "../deps.ts";
import { agentChecks, crewChecks } from "./crew.ts";
import { disk, gitCheck, repositoryCheck, safety, sandbox, store } from "./computer.ts";

export async function examineMachine(
  place: RepositoryLocation,
  { configs, path, providers, sharedStore, keysAre }: SetupDeps,
): Promise<{ checks: DoctorCheck[]; agents: AgentBrief[] }> {
  let agents: readonly Agent[] = [];
  const found = await Promise.all([
    runDoctorCheck("node", () => [okCheck("node", `${process.version}, ${process.platform} ${process.arch}`)]),
    runDoctorCheck("repository", () => repositoryCheck(place)),
    runDoctorCheck("safe to open", () => safety(place)),
    runDoctorCheck("git", () => gitCheck(place)),
    runDoctorCheck("sandbox", () => sandbox(path)),
    runDoctorCheck("configuration", () => configuration(configs, place)),
    runDoctorCheck("agents", async () => {
      const registry = providers(place.root);
      agents = await probeAgents(await registry.list(), glanceMs);
      const files = configs.at(place.root);
      return [...agentChecks(agents), ...(await runDoctorCheck("crew", () => crewChecks(registry, files, agents)))];
    }),
    runDoctorCheck("store", () => store(place, sharedStore())),
    runDoctorCheck("disk", () => disk(place)),
    runDoctorCheck("gateway keys", async () => [okCheck("gateway keys", await keysAre())]),
  ]);
  return { checks: withoutRepeats(found.flat()), agents: agents.map(crewBrief) };
}

/** A broken configuration fails several checks; it is reported once. */
function withoutRepeats(checks: readonly DoctorCheck[]): DoctorCheck[] {
  return checks.filter(
    ({ state, detail }, index) => state === "ok" || checks.findIndex((other) => other.detail === detail) === index,
  );
}

function configuration(configs: SetupDeps["configs"], { root }: RepositoryLocation): DoctorCheck[] {
  const { user, repo } = configs.at(root);
  const looser = overruled(userPolicy(user.policy), repo.policy);
  const file = configs.userFile();
  if (looser.length === 0)
    return [okCheck("configuration", existsSync(file) ? file : `defaults; yours would be ${file}`)];
  return [
    badCheck(
      "configuration",
      "note",
      `this repository asks for looser rules than yours, which stay: ${looser.join("; ")}`,
      "thehood config shows both",
    ),
  ];
}
