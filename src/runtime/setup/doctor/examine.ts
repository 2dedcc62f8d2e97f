// The state of this machine, found by looking and trying, without calling a model.
import { existsSync } from "node:fs";
import process from "node:process";
import { badCheck, okCheck, runDoctorCheck, type DoctorCheck } from "../../../core/contract/index.ts";
import type { AskedAgent, DoctorReport } from "../../../core/contract/setup/index.ts";
import { crewBrief, type Agent } from "../../../core/crew/index.ts";
import { overruled, userPolicy } from "../../../core/crew/policy/index.ts";
import type { RepositoryLocation } from "../../../platform/git/index.ts";
import { glanceMs, probeAgents } from "../agents.ts";
import type { SetupDeps } from "../deps.ts";
import { askCrew, askedChecks } from "./ask.ts";
import { agentChecks, crewChecks } from "./crew.ts";
import { disk, gitCheck, repositoryCheck, safety, sandbox, store } from "./computer.ts";

export async function examineMachine(
  place: RepositoryLocation,
  { configs, path, providers, sharedStore, keysAre }: SetupDeps,
  ask?: { readonly signal: AbortSignal },
): Promise<Pick<DoctorReport, "checks" | "agents" | "asked">> {
  let agents: readonly Agent[] = [];
  let asked: readonly AskedAgent[] | undefined;
  const found = await Promise.all([
    runDoctorCheck("node", () => [okCheck("node", `${process.version}, ${process.platform} ${process.arch}`)]),
    runDoctorCheck("repository", () => repositoryCheck(place)),
    runDoctorCheck("safe to open", () => safety(place)),
    runDoctorCheck("git", () => gitCheck(place)),
    runDoctorCheck("sandbox", () => sandbox(path)),
    runDoctorCheck("configuration", () => configuration(configs, place)),
    runDoctorCheck("agents", async () => {
      const registry = providers(place.root);
      agents = await probeAgents(await registry.list(), ask ? undefined : glanceMs);
      const files = configs.at(place.root);
      const found = [
        ...agentChecks(agents),
        ...(await runDoctorCheck("crew", () => crewChecks(registry, files, agents))),
      ];
      if (!ask) return found;
      return [
        ...found,
        ...(await runDoctorCheck("crew", async () => {
          asked = await askCrew(registry, files, agents, ask.signal);
          return askedChecks(asked);
        })),
      ];
    }),
    runDoctorCheck("store", () => store(place, sharedStore())),
    runDoctorCheck("disk", () => disk(place)),
    runDoctorCheck("gateway keys", async () => [okCheck("gateway keys", await keysAre())]),
  ]);
  return {
    checks: withoutRepeats(found.flat()),
    agents: agents.map(crewBrief),
    ...(asked === undefined ? {} : { asked }),
  };
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
