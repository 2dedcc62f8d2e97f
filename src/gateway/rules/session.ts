// A session as the rules see it, and the mode that follows from it. Setup wins over automation; a session without
// a configuration is scratch and passes through no selection.

export const sessionKinds = ["setup", "coding", "automation", "scratch"] as const;
export type SessionKind = (typeof sessionKinds)[number];

export interface SessionFacts {
  readonly sessionType: "setup" | "coding";
  readonly clientType: "user" | "automation";
  readonly configurationId: string | null;
  readonly systemPrompt: string | null;
  /** `agent_config.tools`: the only tools that this session gets; null for all that its mode has. */
  readonly tools: readonly string[] | null;
  readonly repoName: string | null;
  readonly runId: string | null;
}

/** The selection among sessions with a configuration: one pure function, in this order. */
export function promptMode(
  session: Pick<SessionFacts, "sessionType" | "clientType">,
): "setup" | "automation" | "coding" {
  if (session.sessionType === "setup") return "setup";
  return session.clientType === "automation" ? "automation" : "coding";
}

export const kindOf = (
  session: Pick<SessionFacts, "sessionType" | "clientType" | "configurationId">,
): SessionKind => (session.configurationId === null ? "scratch" : promptMode(session));
