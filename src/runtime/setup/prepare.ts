// Makes of a request the facts that a run freezes: base, policy, crew, checks. It refuses before anything is written.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fail, type Actor, type Configs, type CreateRun, type ProviderRegistry } from "../../core/contract/index.ts";
import { headCommit, treeOf } from "../../workspace/checkout/worktree/index.ts";
import { runPolicy, type PolicyOverrides } from "../../core/crew/policy/index.ts";
import { appliesFirst } from "../../core/machine/policy/index.ts";
import { refuseBranch } from "../../workspace/evidence/index.ts";
import { refuseTrackedState, type RepositoryLocation } from "../../platform/git/index.ts";
import { parseStubScript, scriptFor } from "../../agents/index.ts";
import { chooseCrew, priced, resolveCrew, resolveFallbacks, type CrewRequest } from "./registry.ts";

interface PrepareRequest extends PolicyOverrides, CrewRequest {
  readonly goal: CreateRun["goal"];
  readonly constraints: readonly string[];
  readonly acceptanceCriteria: readonly string[];
  readonly preferredRole?: CreateRun["preferredRole"] | undefined;
  readonly commit?: boolean | undefined;
  readonly toBranch?: string | undefined;
  readonly continuesAt?: string | undefined;
  readonly quotedWarnings?: readonly string[] | undefined;
  readonly follows?: CreateRun["follows"];
  readonly attempt?: CreateRun["attempt"];
  /** The script of the stub, as JSON. */
  readonly stubScript?: unknown;
}

interface RunLocation {
  readonly place: RepositoryLocation;
  readonly configs: Configs;
  readonly providers: ProviderRegistry;
  readonly allowDirectEdit: boolean;
}

const person: Actor = { kind: "person", surface: "cli" };

const isBare = (folder: string): boolean => ["HEAD", "objects", "refs"].every((name) => existsSync(join(folder, name)));

async function baseOf({ repository, root }: RepositoryLocation, { mode, continuesAt }: PrepareRequest) {
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
  if (continuesAt !== undefined)
    return { baseCommit: continuesAt, baseTree: await treeOf(repository, continuesAt), branch: null };
  const head = await headCommit(repository);
  if (head === undefined && mode === "implement")
    fail("not_a_repository", `${root} has no commit yet, so there is nothing to compare work with.`, {
      remedy: "Commit something first: git add -A && git commit",
    });
  return { baseCommit: head?.commit ?? null, baseTree: head?.tree ?? null, branch: null };
}

/** The branch is made at the end, so a name that cannot be used is refused at the start. */
async function branchFor(
  { repository }: RepositoryLocation,
  { toBranch, mode, commit, continuesAt }: PrepareRequest,
  policy: CreateRun["policy"],
): Promise<string | undefined> {
  if (toBranch === undefined) return undefined;
  if (!repository || mode !== "implement" || appliesFirst(policy) || commit === true)
    fail("invalid_input", "--branch is for a run that edits, verifies first and does not commit to your branch.", {
      remedy: "Leave out --commit and --integrate early, or leave out --branch.",
    });
  if (continuesAt === undefined) await refuseBranch(repository, toBranch);
  return toBranch;
}

const mapValues = <K extends string, V>(all: Partial<Record<K, V>>, change: (value: V) => V) =>
  Object.fromEntries(Object.entries(all).map(([key, value]) => [key, change(value as V)])) as Partial<Record<K, V>>;

export async function prepareRun(
  { place, configs, providers, allowDirectEdit }: RunLocation,
  request: PrepareRequest,
  by: Actor = person,
): Promise<Omit<CreateRun, "type">> {
  const base = await baseOf(place, request);
  const script = request.stubScript === undefined ? undefined : parseStubScript(request.stubScript);
  const crew = await chooseCrew(providers, configs, request);
  const options = (assignment: string, role: string) =>
    script && assignment.startsWith("stub:") ? scriptFor(script, role) : undefined;
  const named = await resolveCrew(providers, crew, { configs, by, options });
  const roles = mapValues(named, (agent) => priced(agent, configs.user));
  const replacing = await resolveFallbacks(providers, configs, roles, options);
  const fallbacks = mapValues(replacing, (agents) => agents.map((agent) => priced(agent, configs.user)));
  const policy = runPolicy({ options: request, by, configs, allowDirectEdit });
  const toBranch = await branchFor(place, request, policy);
  return {
    goal: request.goal,
    mode: request.mode,
    constraints: [...request.constraints],
    acceptanceCriteria: [...request.acceptanceCriteria],
    preferredRole: request.preferredRole ?? null,
    policy,
    roles,
    ...(Object.keys(fallbacks).length > 0 ? { fallbacks } : {}),
    ...base,
    createdBy: by,
    ...(request.commit === true ? { commit: true as const } : {}),
    ...(toBranch === undefined ? {} : { toBranch }),
    ...(toBranch === undefined || request.continuesAt === undefined ? {} : { continuesBranch: true as const }),
    ...(request.quotedWarnings?.length ? { quotedWarnings: [...request.quotedWarnings] } : {}),
    ...(request.follows ? { follows: request.follows } : {}),
    ...(request.attempt ? { attempt: request.attempt } : {}),
  };
}
