// The port of the browser itself, as a person uses it: log in, see it, stop it, check a site, report a failed step.
import type { Site } from "./text.ts";

interface BrowserTab {
  /** The run that uses it. */
  readonly key: string;
  readonly since: string;
  /** `orphan`: its run died, and the tab waits for the one that continues it. */
  readonly state: "in_use" | "orphan";
}

export interface BrowserStatus {
  readonly executable: string | null;
  readonly profile: string;
  readonly profileExists: boolean;
  readonly loggedIn: readonly Site[];
  /** Null while no browser runs. */
  readonly running: {
    readonly pid: number;
    readonly browserPid: number | null;
    readonly product: string;
    readonly mode: string;
    readonly tabs: readonly BrowserTab[];
    readonly waiting: number;
    readonly maxTabs: number;
  } | null;
}

/** One list of selectors against the page as it is now. */
interface CheckedPart {
  readonly name: string;
  /** The selector that finds something; null when none does. */
  readonly found: string | null;
  readonly visible: boolean;
  /** A new conversation must show it; other parts appear only in use. */
  readonly needed: boolean;
  readonly holds: boolean;
}

export interface SiteCheck {
  readonly site: Site;
  readonly version: number;
  readonly date: string;
  /** The user's own data file, when there is one. */
  readonly override: string | null;
  readonly url: string;
  readonly model: string | null;
  readonly parts: readonly CheckedPart[];
  readonly ok: boolean;
}

export interface BrowserReport {
  readonly session: string;
  /** The report; the user reads it before sharing it. */
  readonly report: string;
  /** The page with every word of it made unreadable. */
  readonly page: string | null;
}

export interface BrowserHooks {
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

export interface BrowserPort {
  /** Opens a window and resolves when the page shows that the user is logged in. */
  login(site: Site, hooks: BrowserHooks & { readonly waitMs: number }): Promise<void>;
  status(): Promise<BrowserStatus>;
  /** False when no browser ran. */
  stop(): Promise<boolean>;
  /** Reads the page; types, presses and sends nothing. */
  check(site: Site, hooks: BrowserHooks): Promise<SiteCheck>;
  /** Of the named session, or of the newest one with a failed step. */
  report(session: string | null): BrowserReport;
}
