// The assignment of each role: that of the run, then of the repository, then of the user.
import {
  assignableRoles,
  plainLine,
  type Configs,
  type Failure,
  type ResolvedAssignment,
  type Role,
  type RoleAssignments,
} from "../contract/index.ts";

/** Assignments by role, as written in a configuration or on the command line. */
export type RoleOverrides = Readonly<Partial<Record<Role, string | undefined>>>;

/** An assignment that was taken for a role, with the place where it was found. */
export interface RoleChoice {
  readonly assignment: string;
  readonly source: "run" | "repo" | "user" | "found";
  /** Why this one, where the runtime chose it. */
  readonly why?: string;
}

export type Crew = Readonly<Partial<Record<Role, RoleChoice>>>;

/** An assignment as the registry of providers answers for it. */
export type Known = Omit<ResolvedAssignment, "source" | "why" | "options">;
export type Resolution =
  | { readonly ok: true; readonly known: Known }
  | { readonly ok: false; readonly failure: Failure };
/** By assignment. Resolving loads adapters, so the rim does it and hands the answers in. */
export type Resolutions = ReadonlyMap<string, Resolution>;

export function namedCrew({ repo, user }: Configs, run: RoleOverrides = {}): Crew {
  const layers: readonly (readonly ["run" | "repo" | "user", RoleOverrides])[] = [
    ["run", run],
    ["repo", repo.roles ?? {}],
    ["user", user.roles ?? {}],
  ];
  return Object.fromEntries(
    assignableRoles.flatMap((role) => {
      const [source, overrides] = layers.find(([, layer]) => layer[role] !== undefined) ?? [];
      const assignment = overrides?.[role];
      return source && assignment !== undefined ? [[role, { assignment, source }]] : [];
    }),
  );
}

export const isUnassigned = (crew: Crew): boolean => Object.keys(crew).length === 0;

export const assignmentsOf = (crew: Crew): string[] => [
  ...new Set(Object.values(crew).map(({ assignment }) => assignment)),
];

/** The registry's answer for an assignment; undefined when it refused. */
export function knownOf(resolutions: Resolutions, assignment: string): Known | undefined {
  const found = resolutions.get(assignment);
  if (!found) throw new Error(`${assignment} was not resolved before a choice was made`);
  return found.ok ? found.known : undefined;
}

/** The agents that may take up each role of the crew when its agent fails, by the user's own list. */
export function namedFallbacks({ user }: Configs, roles: RoleAssignments): [Role, readonly string[]][] {
  return assignableRoles.flatMap((role) => {
    const listed = roles[role] ? (user.fallbacks?.[role] ?? user.fallbacks?.any ?? []) : [];
    const others = listed.filter((assignment) => assignment !== roles[role]?.assignment);
    return others.length > 0 ? [[role, others]] : [];
  });
}

/** The crew as a run freezes it. */
export function frozenCrew(
  crew: Crew,
  resolve: (assignment: string) => Known,
  options: (assignment: string, role: string) => unknown,
): RoleAssignments {
  return Object.fromEntries(
    Object.entries(crew).map(([role, { assignment, source, why }]) => {
      const frozen = options(assignment, role);
      return [
        role,
        {
          ...resolve(assignment),
          source,
          ...(why === undefined ? {} : { why: plainLine(why, 300) }),
          ...(frozen === undefined ? {} : { options: frozen }),
        },
      ];
    }),
  );
}
