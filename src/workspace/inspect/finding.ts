// The findings of an inspection of an untrusted repository, as data.

const findingKinds = [
  "git_config",
  "git_hook",
  "git_folder",
  "git_attributes",
  "submodule",
  "embedded_repository",
  "shell_environment",
  "editor",
  "devcontainer",
  "mcp_server",
  "agent_hook",
  "agent_plugin",
  "agent_permission",
  "agent_instructions",
  "hidden_text",
  "package_script",
  "package_config",
  "hook_manager",
  "build_config",
  "symlink",
  "product_state",
  "limit",
] as const;
export type FindingKind = (typeof findingKinds)[number];

/** block: we do not work here. high: runs by being opened. medium: runs by ordinary work. low: steers, or is unusual. */
export type Severity = "block" | "high" | "medium" | "low";

export interface RepositoryFinding {
  readonly kind: FindingKind;
  /** Relative to the inspected folder; git's own files start with `.git/`. */
  readonly path: string;
  readonly severity: Severity;
  /** The thing found, with the value that matters, cut and free of control characters. */
  readonly what: string;
  /** When it would act. */
  readonly why: string;
  readonly remedy: string;
}

export type ReportFinding = (finding: Omit<RepositoryFinding, "path"> & { readonly path?: string }) => void;

/** An untrusted value as text for people: one line, truncated, without control or invisible characters. */
export function shown(value: unknown, limit = 120): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  const clean = text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return clean.length > limit ? `${clean.slice(0, limit)}…` : clean;
}

const order: readonly Severity[] = ["block", "high", "medium", "low"];

export function bySeverity(a: RepositoryFinding, b: RepositoryFinding): number {
  return order.indexOf(a.severity) - order.indexOf(b.severity) || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
}
