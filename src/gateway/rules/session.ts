// The facts of a session and its mode. Setup wins over automation; a session without a configuration is scratch.

export const sessionKinds = ["setup", "coding", "automation", "scratch"] as const;
export type SessionKind = (typeof sessionKinds)[number];

export interface SessionFacts {
  readonly sessionType: "setup" | "coding";
  readonly clientType: "user" | "automation";
  readonly configurationId: string | null;
  readonly systemPrompt: string | null;
  /** `agent_config.tools`: the only tools of this session; null for all tools of its mode. */
  readonly tools: readonly string[] | null;
  readonly repoName: string | null;
  readonly runId: string | null;
}

/** The mode of a session with a configuration. */
export function promptMode(
  session: Pick<SessionFacts, "sessionType" | "clientType">,
): "setup" | "automation" | "coding" {
  if (session.sessionType === "setup") return "setup";
  return session.clientType === "automation" ? "automation" : "coding";
}

export const kindOf = (session: Pick<SessionFacts, "sessionType" | "clientType" | "configurationId">): SessionKind =>
  session.configurationId === null ? "scratch" : promptMode(session);
