// Who plays which role: the run's word, then the repository's, then the user's; and never one agent in both seats.
import {
  assignableRoles,
  fail,
  FailureError,
  plainLine,
  roles,
  roleTable,
  type Configs,
  type ProviderRegistry,
  type ResolvedAssignment,
  type Role,
  type RoleAssignments,
} from "../../contract/index.ts";
import type { RoleRow } from "../../operations/index.ts";
import type { Agent } from "./agents.ts";

type Wishes = Readonly<Partial<Record<Role, string | undefined>>>;

export interface Wanted {
  readonly assignment: string;
  readonly source: "run" | "repo" | "user" | "found";
  readonly why?: string;
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

export async function resolveAssignment(
  registry: ProviderRegistry,
  assignment: string,
  source: ResolvedAssignment["source"],
  options?: unknown,
): Promise<ResolvedAssignment> {
  const { provider, model, identity } = await registry.resolve(assignment);
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

/** The program chooses the model itself, and nothing says which. */
const isOpen = ({ provider, identity, modelBacked }: ResolvedAssignment): boolean =>
  modelBacked && identity === `${provider}:default`;

/** Refuses a crew in which somebody would verify their own work, or in which nobody could tell. */
export function refuseSelfReview(crew: RoleAssignments): void {
  const { implementer, verifier } = crew;
  if (!implementer || !verifier) return;
  const both = `${implementer.assignment} and ${verifier.assignment}`;
  if (implementer.identity === verifier.identity)
    fail("invalid_input", `${both} are the same agent: nobody verifies their own work.`, {
      remedy: "Give implementer and verifier to different agents, for example with --verifier.",
    });
  if (implementer.provider === verifier.provider && (isOpen(implementer) || isOpen(verifier)))
    fail("invalid_input", `${both} may be the same model: nobody can say which one "default" is.`, {
      remedy: `Name both models (thehood models ${verifier.provider}), or give one of the roles to another agent.`,
    });
}

export async function resolveCrew(
  registry: ProviderRegistry,
  wanted: Partial<Record<Role, Wanted>>,
  options: (assignment: string) => unknown,
): Promise<RoleAssignments> {
  const seats = Object.entries(wanted).map(async ([role, { assignment, source, why }]) => [
    role,
    {
      ...(await resolveAssignment(registry, assignment, source, options(assignment))),
      ...(why === undefined ? {} : { why: plainLine(why, 300) }),
    },
  ]);
  const crew: RoleAssignments = Object.fromEntries(await Promise.all(seats));
  refuseSelfReview(crew);
  return crew;
}

/** Of a crew that no run would begin with: the verifier is the one to change. */
async function selfReview(
  registry: ProviderRegistry,
  { implementer, verifier }: Partial<Record<Role, Wanted>>,
): Promise<Pick<RoleRow, "problem" | "remedy"> | null> {
  if (!implementer || !verifier) return null;
  try {
    refuseSelfReview({
      implementer: await resolveAssignment(registry, implementer.assignment, implementer.source),
      verifier: await resolveAssignment(registry, verifier.assignment, verifier.source),
    });
    return null;
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return { problem: error.failure.message, remedy: error.failure.remedy ?? null };
  }
}

/** One row a role, with what is wrong with whoever fills it: unknown, not able to answer here, or both worker and judge. */
export async function crewRows(
  registry: ProviderRegistry,
  wanted: Partial<Record<Role, Wanted>>,
  agents: readonly Agent[],
): Promise<RoleRow[]> {
  const none = { identity: null, problem: null, remedy: null, why: null };
  const rows = roles.map(async (role): Promise<RoleRow> => {
    const limits = roleTable[role];
    const row = {
      role,
      label: limits.label,
      read: limits.read,
      edit: limits.edit,
      run: limits.run,
      satisfies: limits.satisfies,
    };
    if (limits.runtime) return { ...row, ...none, assignment: null, source: "runtime" };
    const found = wanted[role];
    if (!found) return { ...row, ...none, assignment: null, source: "unassigned" };
    const { assignment, source, why = null } = found;
    const seat = { ...row, assignment, source, why };
    try {
      const { identity, provider } = await resolveAssignment(registry, assignment, source);
      const agent = agents.find((one) => one.provider.id === provider);
      const ill = agent?.usable === "no" ? agent.health : null;
      return { ...seat, identity, problem: ill?.problem ?? null, remedy: ill?.remedy ?? null };
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      const { message, remedy = null } = error.failure;
      return { ...seat, identity: null, problem: message, remedy };
    }
  });
  const all = await Promise.all(rows);
  const known = all.every(({ problem }) => problem === null);
  const clash = known ? await selfReview(registry, wanted) : null;
  return clash ? all.map((row) => (row.role === "verifier" ? { ...row, ...clash } : row)) : all;
}
