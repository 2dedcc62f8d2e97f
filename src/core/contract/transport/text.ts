// The closed sets of values of the transport, as plain data: the help uses them and must not load a schema library.

export const engines = ["api", "browser"] as const;
export type EngineKind = (typeof engines)[number];

export const applyModes = ["none", "check", "apply", "commit"] as const;

export const bundleFormats = ["text", "zip"] as const;
export type BundleFormat = (typeof bundleFormats)[number];

export const previewModes = ["summary", "json", "full"] as const;
export type PreviewMode = (typeof previewModes)[number];

export const apiProviders = [
  "auto",
  "openai",
  "openai-chat",
  "anthropic",
  "gemini",
  "xai",
  "azure",
  "openrouter",
] as const;
export type ApiProvider = (typeof apiProviders)[number];

export const reasoningEfforts = ["none", "low", "medium", "high", "xhigh", "max"] as const;
export type ReasoningEffort = (typeof reasoningEfforts)[number];

/** What a page may do with a message beside answering it. */
export const pageTools = ["search", "research"] as const;
/** What a request over an API has without being asked for it; a server that refuses it is asked without. */
export const assumedParts = ["search", "reasoningEffort", "background"] as const;
export type AssumedPart = (typeof assumedParts)[number];

export type PageTool = (typeof pageTools)[number];

export const sites = ["chatgpt", "copilot", "gemini"] as const;
export type Site = (typeof sites)[number];

/** T-28, T-29: the statuses of an ended run with their exit codes. Every surface uses this table. */
export const statusExit = {
  success: 0,
  diff_missing: 2,
  invalid_diff: 2,
  partial: 2,
  secret_detected: 3,
  apply_failed: 4,
  commit_failed: 5,
  timeout: 6,
  error: 1,
} as const;
export type ResultStatus = keyof typeof statusExit;
export const resultStatuses = Object.keys(statusExit) as [ResultStatus, ...ResultStatus[]];

/** A session is pending, running, or has the status of its result. */
export const sessionStatuses = ["pending", "running", ...resultStatuses] as const;
