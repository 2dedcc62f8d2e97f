// Who plays which role: the run's word, then the repository's, then the user's; and never one agent in both seats.
import {
  assignableRoles,
  fail,
  FailureError,
  roles,
  roleTable,
  type ProviderRegistry,
  type ResolvedAssignment,
  type Role,
  type RoleAssignments,
} from "../../contract/index.ts";
import type { RoleRow } from "../../operations/index.ts";
import type { Configs } from "../config/index.ts";

type Wishes = Readonly<Partial<Record<Role, string | undefined>>>;

export interface Wanted {
  readonly assignment: string;
  readonly source: "run" | "repo" | "user";
}

export function wantedCrew(configs: Configs, run: Wishes = {}): Partial<Record<Role, Wanted>> {
  const layers = [
    ["run", run],
    ["repo", configs.repo.roles ?? {}],
    ["user", configs.user.roles ?? {}],
  ] as const;
  return Object.fromEntries(
    assignableRoles.flatMap((role) => {
      const found = layers.find(([, wishes]) => wishes[role as keyof typeof wishes] !== undefined);
      const assignment = found?.[1][role as keyof (typeof found)[1]];
      return found && assignment !== undefined ? [[role, { assignment, source: found[0] }]] : [];
    }),
  );
}

export function resolveAssignment(
  registry: ProviderRegistry,
  assignment: string,
  source: ResolvedAssignment["source"],
  options?: unknown,
): ResolvedAssignment {
  const { provider, model, identity } = registry.resolve(assignment);
  const { boundary, modelBacked, edits, reads } = provider.traits;
  return {
    assignment,
    provider: provider.id,
    model,
    identity,
    boundary,
    modelBacked,
    edits,
    ...(reads ? { reads } : {}),
    source,
    ...(options === undefined ? {} : { options }),
  };
}

/** Refuses a crew in which somebody would verify their own work. */
export function refuseSelfReview(crew: RoleAssignments): void {
  const { implementer, verifier } = crew;
  if (!implementer || !verifier || implementer.identity !== verifier.identity) return;
  fail(
    "invalid_input",
    `${implementer.assignment} and ${verifier.assignment} are the same agent: nobody verifies their own work.`,
    {
      remedy: "Give implementer and verifier to different agents, for example with --verifier.",
    },
  );
}

export function resolveCrew(
  registry: ProviderRegistry,
  wanted: Partial<Record<Role, Wanted>>,
  options: (assignment: string) => unknown,
): RoleAssignments {
  const crew: RoleAssignments = Object.fromEntries(
    Object.entries(wanted).map(([role, { assignment, source }]) => [
      role,
      resolveAssignment(registry, assignment, source, options(assignment)),
    ]),
  );
  refuseSelfReview(crew);
  return crew;
}

export function crewRows(registry: ProviderRegistry, configs: Configs): RoleRow[] {
  const wanted = wantedCrew(configs);
  return roles.map((role) => {
    const limits = roleTable[role];
    const row = {
      role,
      label: limits.label,
      read: limits.read,
      edit: limits.edit,
      run: limits.run,
      satisfies: limits.satisfies,
    };
    if (limits.runtime) return { ...row, assignment: null, source: "runtime", identity: null, problem: null };
    const found = wanted[role];
    if (!found) return { ...row, assignment: null, source: "unassigned", identity: null, problem: null };
    try {
      return {
        ...row,
        ...found,
        identity: resolveAssignment(registry, found.assignment, found.source).identity,
        problem: null,
      };
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      return { ...row, ...found, identity: null, problem: error.failure.message };
    }
  });
}
