// The policy that a run freezes: the user's own, tightened by the repository and by a program that asks for the run.
import { fail, policy as policySchema, type Actor, type Configs, type Policy } from "../../contract/index.ts";
import { loosened } from "./loosened.ts";
import { tightenPolicy, type TighterPolicy, userPolicy, type UserPolicy } from "./tighten.ts";

/** The part of a request to start a run that is about policy. */
export interface PolicyOverrides {
  readonly approvals?: Policy["approvals"] | undefined;
  readonly maxIterations?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly maxMinutes?: number | undefined;
  readonly maxUsd?: number | undefined;
  readonly allowedPaths: readonly string[];
  readonly disallowedPaths: readonly string[];
  /** Shell lines; they replace the checks that would be found in the project. */
  readonly checks: readonly string[];
  readonly noChecks: boolean;
  readonly waive: readonly string[];
  readonly productPaths: readonly string[];
  /** The folder whose checks alone count, from the top of the repository. */
  readonly checksBelow?: string | undefined;
  readonly integrate?: Policy["integrate"] | undefined;
  /** Every proof that the runtime can get, also where it costs more. */
  readonly careful?: boolean | undefined;
}

export interface PolicyRequest {
  readonly options: PolicyOverrides;
  readonly by: Actor;
  readonly configs: Configs;
  /** The user's environment lets a local implementer edit the checkout itself. */
  readonly allowDirectEdit: boolean;
}

const shellCheck = (line: string, index: number) => ({
  id: `flag:${index + 1}`,
  kind: "other" as const,
  argv: ["bash", "-c", line] as [string, ...string[]],
});

/** The shell lines of the checks that a person named for a run. */
export const namedChecks = (checks: Policy["checks"]): string[] =>
  checks.flatMap(({ id, argv }) => (id.startsWith("flag:") && argv[2] !== undefined ? [argv[2]] : []));

/** The options of a person may loosen as well as tighten. */
function fromFlags(options: PolicyOverrides, allowDirectEdit: boolean): UserPolicy {
  const { approvals, maxIterations, maxTokens, maxMinutes, maxUsd } = options;
  const own = options.checks.length > 0 || options.noChecks;
  return {
    approvals,
    budgets: { maxIterations, maxTokens, maxMinutes, maxUsd },
    ...(options.allowedPaths.length > 0 ? { allowedPaths: [...options.allowedPaths] } : {}),
    ...(options.disallowedPaths.length > 0 ? { disallowedPaths: [...options.disallowedPaths] } : {}),
    ...(own ? { checks: options.checks.map(shellCheck), discoverChecks: false } : {}),
    // Naming no check at all is a waiver of validation as a whole, by the person who starts the run.
    waivedChecks: [...options.waive, ...(options.noChecks ? ["validation"] : [])],
    ...(options.productPaths.length > 0 ? { productPaths: [...options.productPaths] } : {}),
    ...(options.checksBelow === undefined ? {} : { checksBelow: options.checksBelow }),
    directEdit: allowDirectEdit,
    integrate: options.integrate,
    ...(options.careful ? { blindTests: "on" as const } : {}),
  };
}

/** The options of a program count as those of a repository: they can only tighten. */
function fromHost(options: PolicyOverrides, mine: Policy): TighterPolicy {
  const { approvals, maxIterations, maxTokens, maxMinutes, maxUsd, allowedPaths, disallowedPaths } = options;
  const { checks, noChecks, waive, productPaths, checksBelow } = options;
  if (checksBelow !== undefined || checks.length > 0 || noChecks || waive.length > 0 || productPaths.length > 0)
    fail("permission_denied", "A program that drives a run does not say which checks count.", {
      remedy: "Set them in your configuration, or start the run yourself with thehood run --check.",
    });
  if (allowedPaths.length > 0 && mine.allowedPaths.length > 0)
    fail("invalid_input", "allowedPaths: your policy names the allowed paths already.", {
      remedy: "Leave it out, or narrow further with disallowedPaths.",
    });
  return {
    approvals,
    budgets: { maxIterations, maxTokens, maxMinutes, maxUsd },
    disallowedPaths,
    ...(allowedPaths.length > 0 ? { allowedPaths } : {}),
  };
}

/** Lists of two files together may be longer than a policy can hold; cutting them would loosen. */
function refuseTooMuch(got: Policy): Policy {
  const issue = policySchema.safeParse(got).error?.issues[0];
  if (issue)
    fail("invalid_config", `The policy cannot be used: ${issue.path.join(".")}: ${issue.message}.`, {
      remedy: "Your configuration and the repository's add up; shorten one of them. See both: thehood config",
    });
  return got;
}

/** A looser field here is a mistake of ours: better no run than one with rights that the user did not give. */
function tightened(mine: Policy, requested: TighterPolicy | undefined): Policy {
  const got = refuseTooMuch(tightenPolicy(mine, requested));
  const fields = loosened(mine, got);
  if (fields.length > 0) throw new Error(`a request loosened the user's policy: ${fields.join(", ")}`);
  return got;
}

/** The user's policy as a repository leaves it: it holds for every run here, before one is requested. */
export const effectivePolicy = ({ user, repo }: Configs): Policy => tightened(userPolicy(user.policy), repo.policy);

export function runPolicy({ options, by, configs, allowDirectEdit }: PolicyRequest): Policy {
  const { user, repo } = configs;
  if (by.kind === "person") return tightened(userPolicy(user.policy, fromFlags(options, allowDirectEdit)), repo.policy);
  const standing = effectivePolicy(configs);
  return tightened(standing, fromHost(options, standing));
}
