// The settings of the public preview's configuration, in the words of this version. What would loosen the user's policy is
// never taken: it is returned with the command by which the user may do it.
import { approvalModes, assignableRoles, assignmentPattern, isRecord, type Policy } from "../contract/index.ts";
import type { LeftSetting } from "../contract/setup/index.ts";

export interface TranslatedConfig {
  /** Values for the private file of the repository, by their path. */
  readonly entries: readonly (readonly [path: readonly string[], value: unknown])[];
  readonly left: readonly LeftSetting[];
}

/** Files that are protected here without a setting. */
const protectedAnyway = new Set([
  "**/test/**",
  "**/tests/**",
  "**/*.spec.*",
  "**/*.test.*",
  "**/__snapshots__/**",
  "**/fixtures/**",
  "**/evals/**",
]);

const loosens = "it would loosen your policy, and a repository cannot do that";
const flags = ["editRequiresApproval", "dependencyInstallRequiresApproval", "networkRequiresApproval"] as const;

const shown = (value: unknown): string => (JSON.stringify(value) ?? "").slice(0, 300);
const inner = (value: unknown, key: string): unknown => (isRecord(value) ? value[key] : undefined);

class Translation {
  readonly entries: (readonly [readonly string[], unknown])[] = [];
  readonly left: LeftSetting[] = [];
  readonly policy: Policy;
  readonly providers: ReadonlySet<string>;

  constructor(policy: Policy, providers: ReadonlySet<string>) {
    this.policy = policy;
    this.providers = providers;
  }

  leave(key: string, value: unknown, why: string, command: string | null = null): void {
    this.left.push({ key, value: typeof value === "string" ? value.slice(0, 300) : shown(value), why, command });
  }

  take(path: string, value: unknown): void {
    this.entries.push([path.split("."), value]);
  }

  role(role: string, given: unknown): void {
    const key = `roles.${role}`.slice(0, 60);
    const [provider, named] = [inner(given, "provider"), inner(given, "model")];
    if (!assignableRoles.some((known) => known === role))
      return this.leave(key, given, "there is no such role to assign");
    if (typeof provider !== "string" || typeof named !== "string")
      return this.leave(key, given, "it does not name a provider and a model");
    if (!this.providers.has(provider))
      return this.leave(key, `${provider}:${named}`, "there is no such agent here", "thehood models");
    // It meant the choice of the agent program itself.
    const assignment = `${provider}:${named === "configured" ? "default" : named}`;
    if (!assignmentPattern.test(assignment)) return this.leave(key, assignment, "it does not name a model");
    this.take(key, assignment);
  }

  /** A number of which less is stricter. */
  limit(from: string, value: unknown, mine: number, to: string, command: string): void {
    if (value === undefined || value === mine) return;
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 1)
      return this.leave(from, value, "it is no whole number above zero");
    if (value < mine) return this.take(to, value);
    this.leave(from, value, loosens, `thehood config set ${command} ${value}`);
  }

  flag(key: (typeof flags)[number], value: unknown): void {
    if (value === undefined || value === this.policy[key]) return;
    if (value === true) return this.take(`policy.${key}`, true);
    const command = value === false ? `thehood config set policy.${key} false` : null;
    this.leave(`defaults.${key}`, value, value === false ? loosens : "it is neither true nor false", command);
  }

  paths(value: unknown): void {
    if (value === undefined) return;
    const given = Array.isArray(value) ? value : [value];
    const usable = given.filter((glob) => typeof glob === "string" && glob.length > 0 && glob.length <= 500);
    if (usable.length < given.length || usable.length > 1_000)
      this.leave("defaults.protectedTestPaths", value, "entries that are no globs are left out");
    const known = new Set([...protectedAnyway, ...this.policy.protectedPaths]);
    const added = usable.slice(0, 1_000).filter((glob) => !known.has(String(glob)));
    if (added.length > 0) this.take("policy.protectedPaths", added);
  }

  approvals(value: unknown): void {
    const mode = approvalModes.find((known) => known === value);
    if (value === undefined || mode === this.policy.approvals) return;
    if (mode === undefined) return this.leave("approvalPolicy.mode", value, "there is no such mode");
    if (approvalModes.indexOf(mode) < approvalModes.indexOf(this.policy.approvals))
      return this.take("policy.approvals", mode);
    this.leave("approvalPolicy.mode", mode, loosens, `thehood policy set ${mode}`);
  }

  transfers(given: unknown): void {
    const { mode: mine, maxAutoApproveBytes } = this.policy.externalTransfers;
    const mode = inner(given, "mode");
    const setting = "policy.externalTransfers";
    if (mode === "auto_low_risk" && mine === "manual")
      this.leave("approvalPolicy.externalTransfers.mode", mode, loosens, `thehood config set ${setting}.mode ${mode}`);
    else if (mode === "manual" && mine !== "manual")
      this.leave(
        "approvalPolicy.externalTransfers.mode",
        mode,
        "it belongs in your own file",
        `thehood config set ${setting}.mode manual`,
      );
    this.limit(
      "approvalPolicy.externalTransfers.maxAutoApproveBytes",
      inner(given, "maxAutoApproveBytes"),
      maxAutoApproveBytes,
      "policy.maxAutoApproveBytes",
      `${setting}.maxAutoApproveBytes`,
    );
    const rules = inner(given, "rules");
    for (const [index, rule] of (Array.isArray(rules) ? rules : []).slice(0, 100).entries())
      this.leave(
        `approvalPolicy.externalTransfers.rules[${index}]`,
        rule,
        inner(rule, "decision") === "auto_approve" ? loosens : "a rule belongs in your own file",
        "thehood config set policy.externalTransfers.rules JSON",
      );
  }

  others(config: Readonly<Record<string, unknown>>): void {
    const known = new Set(["$schema", "version", "defaults", "approvalPolicy", "roles", "providers", "preferences"]);
    for (const key of Object.keys(config).slice(0, 50))
      if (!known.has(key)) this.leave(key.slice(0, 60), config[key], "this setting is not known");
    const providers = config["providers"];
    for (const id of isRecord(providers) ? Object.keys(providers).slice(0, 50) : [])
      if (!this.providers.has(id))
        this.leave(`providers.${id}`.slice(0, 60), id, "agents are set up in your own file", "thehood models");
    const route = inner(config["preferences"], "chatGptProRoute");
    if (route !== undefined && route !== "auto")
      this.leave("preferences.chatGptProRoute", route, "there is no route: the agent of a role names it");
  }
}

/** `policy` is the user's policy as it holds now; `providers` are the ids of the agents there are. */
export function translatePreviewConfig(
  config: unknown,
  policy: Policy,
  providers: ReadonlySet<string>,
): TranslatedConfig {
  const translation = new Translation(policy, providers);
  if (!isRecord(config)) return translation;
  const { roles, defaults, approvalPolicy } = config;
  for (const [role, given] of isRecord(roles) ? Object.entries(roles).slice(0, 50) : []) translation.role(role, given);
  const { maxIterations } = policy.budgets;
  const budget = "policy.budgets.maxIterations";
  translation.limit("defaults.maxIterations", inner(defaults, "maxIterations"), maxIterations, budget, budget);
  const fanout = "policy.fanoutMaxItems";
  translation.limit(
    "defaults.fanoutMaxItems",
    inner(defaults, "fanoutMaxItems"),
    policy.fanoutMaxItems,
    fanout,
    fanout,
  );
  for (const flag of flags) translation.flag(flag, inner(defaults, flag));
  translation.paths(inner(defaults, "protectedTestPaths"));
  translation.approvals(inner(approvalPolicy, "mode"));
  translation.transfers(inner(approvalPolicy, "externalTransfers"));
  translation.others(config);
  return translation;
}
