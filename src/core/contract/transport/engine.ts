// The ports of an engine, which holds one conversation with a model over an API or in a web page, and of the browser.
import type { AssumedPart, Site, ApiProvider, EngineKind, PageTool, ReasoningEffort } from "./text.ts";

export interface TokenUsage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly reasoningTokens: number | null;
  readonly totalTokens: number | null;
  /** Present when the provider reports it. */
  readonly costUsd?: number;
}

/** The reference to fetch an answer again. Recorded before any wait; never holds a key. */
export interface ConversationRef {
  readonly provider: string;
  readonly baseUrl?: string;
  readonly responseId?: string;
  /** The server continues without a connection: the answer can be fetched after a crash. */
  readonly background?: boolean;
  readonly url?: string;
  /** In a page: `sending` is written before the send button is pressed, `sent` when the page shows the message. */
  readonly stage?: "sending" | "sent";
  /** In a page: the hash that identifies the sent message in the conversation; never the text. */
  readonly promptHash?: string;
  /** In a page: the name of the tab. */
  readonly key?: string;
  /** Which of the further questions of the run it belongs to; absent for the first message. */
  readonly turn?: number;
}

/** Earlier turns of a conversation, oldest first. */
export type History = readonly { readonly role: "user" | "assistant"; readonly content: string }[];

/** A file that is sent with the first message. `path` is absolute and exists until `send` has returned. */
export interface Attachment {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly mediaType: string;
}

export interface EngineMessage {
  readonly prompt: string;
  readonly attachments: readonly Attachment[];
}

export interface SendHooks {
  readonly signal: AbortSignal;
  /** Receives the whole text so far, so that a run that ends early has it. */
  onText(textSoFar: string): void;
  /** Resolves when the reference is on disk. */
  onRef(ref: ConversationRef): Promise<void>;
  /** One line for the run's log. */
  log(line: string): void;
}

export interface Answer {
  readonly text: string;
  /** The HTML of the page; null without a page. */
  readonly html: string | null;
  /** True only when the provider reported, or the page proved, that the answer is finished. */
  readonly complete: boolean;
  /** Why it is not complete, as the provider reports it. */
  readonly incompleteReason: string | null;
  readonly usage: TokenUsage | null;
  readonly model: string | null;
  /** How the text was obtained: `api`, `copy_button`, `dom`, … */
  readonly captureSource: string;
  readonly snapshots: readonly string[];
  /** Pictures and files that the page made for the answer, as they were saved. */
  readonly files?: readonly string[];
}

/** A whole answer of which only the text is known. */
export const plainAnswer = (text: string, captureSource: string): Answer => ({
  text,
  html: null,
  complete: true,
  incompleteReason: null,
  usage: null,
  model: null,
  captureSource,
  snapshots: [],
});

/** One conversation. Turns are sent in order, with the context of earlier turns (T-17). */
export interface Conversation {
  send(turn: EngineMessage, hooks: SendHooks): Promise<Answer>;
  /** Fetches the answer to a turn that an earlier process sent. Undefined when the engine does not support it. */
  resume?(ref: ConversationRef, hooks: SendHooks): Promise<Answer>;
  /** Cancels the request at the provider, where it would otherwise continue and cost money. */
  abandon?(hooks: SendHooks): Promise<void>;
  close(): Promise<void>;
}

export interface EngineOpening {
  readonly model: string;
  readonly browser: {
    readonly url: string;
    readonly site: Site;
    readonly domSnapshotMs: number | null;
    /** Where snapshots go. */
    readonly folder: string;
    /** How hard the model should think, chosen in the page. */
    readonly effort?: ReasoningEffort | undefined;
    /** A tool of the page that the message is sent with. */
    readonly tool?: PageTool | undefined;
    /** The machine whose browser is used: HOST:PORT of its `oracle serve`, or ssh://HOST. */
    readonly remote?: string | undefined;
    /** The name that lets a later process of the same run find its tab. */
    readonly key?: string;
    /** The message was sent by an earlier process: no new tab is opened, and `resume` follows. */
    readonly reattach?: boolean;
  } | null;
  readonly api: {
    readonly provider: ApiProvider;
    readonly baseUrl: string | null;
    /** The variable that holds the key, where it is not the provider's usual one. */
    readonly keyEnv?: string | null;
    /** Earlier turns of the conversation that is continued. */
    readonly history?: History;
    readonly background: boolean;
    readonly reasoningEffort: string | null;
    readonly maxOutputTokens: number | null;
    readonly search?: boolean | undefined;
    /** What nobody asked for: left out where the server refuses it. */
    readonly assumed?: readonly AssumedPart[] | undefined;
  } | null;
}

/** The hooks that an engine may use while it opens. */
export type OpenHooks = Pick<SendHooks, "signal" | "log">;

/** Failures are thrown as FailureError; an abort of the signal ends every wait. */
export interface TransportEngine {
  readonly kind: EngineKind;
  /** Throws a failure that names an obstacle (no key, no browser) before any request. */
  check(opening: EngineOpening): Promise<void>;
  open(opening: EngineOpening, hooks?: OpenHooks): Promise<Conversation>;
  /** The names of the models that the provider offers to this user; the request is free of charge. */
  models?(opening: EngineOpening, hooks: OpenHooks): Promise<readonly string[]>;
}

interface BrowserTab {
  /** The run that uses it. */
  readonly key: string;
  readonly since: string;
  /** `orphan`: its process died, and the tab is reserved for the process that continues the run. */
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

/** The result of one list of selectors on the current page. */
interface CheckedPart {
  readonly name: string;
  /** The selector that matches; null when none does. */
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
  /** The page with all of its text masked. */
  readonly page: string | null;
}

/** A data file made of a check, for the user to read, edit and point to. */
export interface SiteDataDraft {
  readonly site: Site;
  readonly data: string;
  readonly checkedAt: string;
  /** The entries for which the file has new selectors. */
  readonly changed: readonly string[];
  /** Needed parts for which nothing was found. */
  readonly missing: readonly string[];
}

export interface BrowserHooks {
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

export interface ServeHooks extends BrowserHooks {
  /** HOST:PORT; null for the standard streams. */
  readonly listen: string | null;
}

export interface BrowserPort {
  /** Lends the browser to oracle on other machines of the user, until the signal. */
  serve(hooks: ServeHooks): Promise<void>;
  /** Opens a window and resolves when the page shows that the user is logged in. */
  login(site: Site, hooks: BrowserHooks & { readonly waitMs: number }): Promise<void>;
  status(): Promise<BrowserStatus>;
  /** False when no browser ran. */
  stop(): Promise<boolean>;
  /** Reads the page; types, presses and sends nothing. */
  check(site: Site, hooks: BrowserHooks): Promise<SiteCheck>;
  /** Of the named session, or of the newest one with a failed step. */
  report(session: string | null): BrowserReport;
  /** Of the last check of the named site, or of the newest check. */
  data(site: string | null): SiteDataDraft;
}
