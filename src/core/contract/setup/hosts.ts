// Putting the MCP server into the configuration of a host.

export type HostScope = "project" | "user";

/** Putting the MCP server into an agent's configuration. */
export interface HostRequest {
  readonly host: string;
  readonly scope: HostScope;
  /** Write it, rather than only show it. */
  readonly install: boolean;
  readonly repo: string;
}

export interface HostConfigured {
  readonly host: string;
  readonly title: string;
  readonly scope: HostScope;
  readonly file: string;
  /** Before anything was written: there, missing, or there in another form. */
  readonly state: "current" | "absent" | "different";
  /** The whole text for an empty file. */
  readonly snippet: string;
  readonly diff: string;
  readonly written: boolean;
  /** Where the file is kept as it was. */
  readonly backup: string | null;
  readonly next: string;
}

export interface HostRow {
  readonly host: string;
  readonly title: string;
  readonly scope: HostScope;
  readonly file: string | null;
  readonly state: HostConfigured["state"] | "unusable";
  readonly problem: string | null;
}
