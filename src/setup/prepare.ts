// Makes of a request the facts that a run freezes: base, policy, crew, checks. It refuses before anything is written.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fail, type Actor, type Configs, type CreateRun, type ProviderRegistry } from "../contract/index.ts";
import { headCommit } from "../checkout/worktree/index.ts";
import { runPolicy, type PolicyWishes } from "../crew/policy/index.ts";
import { refuseTrackedState, type Place } from "../git/index.ts";
import { parseStubScript } from "../providers/index.ts";
import { chooseCrew, resolveCrew, resolveFallbacks, type CrewRequest } from "./registry.ts";

export interface RunRequest extends PolicyWishes, CrewRequest {
  readonly goal: CreateRun["goal"];
  readonly constraints: readonly string[];
  readonly acceptanceCriteria: readonly string[];
  readonly preferredRole?: CreateRun["preferredRole"] | undefined;
  readonly commit?: boolean | undefined;
  /** The script of the stub, as JSON. */
  readonly stubScript?: unknown;
}

export interface RunPlace {
  readonly place: Place;
  readonly configs: Configs;
  readonly providers: ProviderRegistry;
  readonly allowDirectEdit: boolean;
}

const person: Actor = { kind: "person", surface: "cli" };

const isBare = (folder: string): boolean =>
  ["HEAD", "objects", "refs"].every((name) => existsSync(join(folder, name)));

async function baseOf({ repository, root }: Place, mode: RunRequest["mode"]) {
  if (!repository) {
    if (mode === "implement" && isBare(root))
      fail("not_a_repository", `${root} is a bare repository: there is no checkout to work on.`, {
        remedy: `Clone it, and work there: git clone ${root}`,
      });
    if (mode === "implement")
      fail("not_a_repository", `${root} is not a git repository, so nothing can be edited safely.`, {
        remedy: "Run git init and commit what is there, or use plan, research or review.",
      });
    return { baseCommit: null, baseTree: null, branch: null };
  }
  refuseTrackedState(repository);
  const head = await headCommit(repository);
  if (head === undefined && mode === "implement")
    fail("not_a_repository", `${root} has no commit yet, so there is nothing to compare work with.`, {
      remedy: "Commit something first: git add -A && git commit",
    });
  return { baseCommit: head?.commit ?? null, baseTree: head?.tree ?? null, branch: null };
}

export async function prepareRun(
  { place, configs, providers, allowDirectEdit }: RunPlace,
  request: RunRequest,
  by: Actor = person,
): Promise<Omit<CreateRun, "type">> {
  const base = await baseOf(place, request.mode);
  const script = request.stubScript === undefined ? undefined : parseStubScript(request.stubScript);
  const crew = await chooseCrew(providers, configs, request);
  const options = (assignment: string) => (assignment.startsWith("stub:") ? script : undefined);
  const roles = await resolveCrew(providers, crew, { configs, by, options });
  const fallbacks = await resolveFallbacks(providers, configs, roles, options);
  return {
    goal: request.goal,
    mode: request.mode,
    constraints: [...request.constraints],
    acceptanceCriteria: [...request.acceptanceCriteria],
    preferredRole: request.preferredRole ?? null,
    policy: runPolicy({ wishes: request, by, configs, allowDirectEdit }),
    roles,
    ...(Object.keys(fallbacks).length > 0 ? { fallbacks } : {}),
    ...base,
    createdBy: by,
    ...(request.commit === true ? { commit: true as const } : {}),
  };
}
