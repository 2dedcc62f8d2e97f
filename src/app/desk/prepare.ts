// From what a person asked to what a run freezes: base, policy, crew, checks. Refused before anything is written.
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  fail,
  type Actor,
  type Configs,
  type CreateRun,
  type ProviderRegistry,
} from "../../contract/index.ts";
import { runPolicy } from "../../crew/policy/index.ts";
import type { StartRun } from "../../operations/index.ts";
import { parseStubScript } from "../../providers/index.ts";
import { refuseTrackedState } from "../../git/index.ts";
import { headCommit } from "../../checkout/worktree/index.ts";
import { readConfigs } from "../../config/index.ts";
import type { Environment } from "../environment.ts";
import type { Place } from "../../git/index.ts";
import { lookAt, refuseUnusable } from "../setup/agents.ts";
import { resolveCrew, wantedCrew } from "../setup/crew.ts";
import { fillCrew } from "../setup/fill.ts";
import { findCrew, isNobody } from "../setup/found.ts";
import { teamAt } from "../setup/teams.ts";

const person: Actor = { kind: "person", surface: "cli" };

const isBare = (folder: string): boolean =>
  ["HEAD", "objects", "refs"].every((name) => existsSync(join(folder, name)));

async function baseOf(place: Place, mode: StartRun["mode"]) {
  const { repository } = place;
  if (!repository) {
    if (mode === "implement" && isBare(place.root))
      fail("not_a_repository", `${place.root} is a bare repository: there is no checkout to work on.`, {
        remedy: `Clone it, and work there: git clone ${place.root}`,
      });
    if (mode === "implement")
      fail("not_a_repository", `${place.root} is not a git repository, so nothing can be edited safely.`, {
        remedy: "Run git init and commit what is there, or use plan, research or review.",
      });
    return { baseCommit: null, baseTree: null, branch: null };
  }
  refuseTrackedState(repository);
  const head = await headCommit(repository);
  if (head === undefined && mode === "implement")
    fail("not_a_repository", `${place.root} has no commit yet, so there is nothing to compare work with.`, {
      remedy: "Commit something first: git add -A && git commit",
    });
  return {
    baseCommit: head?.commit ?? null,
    baseTree: head?.tree ?? null,
    branch: null,
  };
}

/** Whoever was named, and whoever is found for what they lack. Nobody who certainly cannot answer. */
async function chooseCrew(providers: ProviderRegistry, configs: Configs, request: StartRun) {
  const team = request.team === undefined ? {} : (await teamAt(providers, request.team)).roles;
  const wanted = wantedCrew(configs, { ...team, ...request.roles });
  if (isNobody(wanted)) return findCrew(await lookAt(await providers.list()), request.mode);
  const named = Object.values(wanted).map(({ assignment }) => providers.resolve(assignment));
  const ids = (await Promise.all(named)).map(({ provider }) => provider.id);
  await refuseUnusable(providers, ids);
  return fillCrew(wanted, request.mode, providers, async () => lookAt(await providers.list()));
}

export async function prepareRun(
  place: Place,
  environment: Environment,
  providers: ProviderRegistry,
  request: StartRun,
  by: Actor = person,
): Promise<Omit<CreateRun, "type">> {
  const base = await baseOf(place, request.mode);
  const configs = readConfigs(environment.configDir, place.root);
  const script = request.stubScript === undefined ? undefined : parseStubScript(request.stubScript);
  const roles = await resolveCrew(providers, await chooseCrew(providers, configs, request), (agent) =>
    agent.startsWith("stub:") ? script : undefined,
  );
  return {
    goal: request.goal,
    mode: request.mode,
    constraints: request.constraints,
    acceptanceCriteria: request.acceptanceCriteria,
    preferredRole: request.preferredRole ?? null,
    policy: runPolicy({ wishes: request, by, configs, allowDirectEdit: environment.allowDirectEdit }),
    roles,
    ...base,
    createdBy: by,
  };
}
