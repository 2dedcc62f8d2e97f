// The port of an engine: something that carries one conversation with a model, over an API or in a web page.
import type { Site, ApiProvider, EngineKind } from "./text.ts";

export interface TokenUsage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly reasoningTokens: number | null;
  readonly totalTokens: number | null;
  /** Where the provider tells it. */
  readonly costUsd?: number;
}

/** Where an answer can be asked for again. Recorded before anything is waited for; never holds a key. */
export interface ConversationRef {
  readonly provider: string;
  readonly baseUrl?: string;
  readonly responseId?: string;
  /** The server goes on without us: the answer can be fetched after a crash. */
  readonly background?: boolean;
  readonly url?: string;
  /** In a page: `sending` is written before the send button is pressed, `sent` when the page shows the message. */
  readonly stage?: "sending" | "sent";
  /** In a page: the mark that finds our message in the conversation again. A hash, never the text. */
  readonly promptHash?: string;
  /** In a page: the name of the tab. */
  readonly key?: string;
}

/** Earlier turns of a conversation, oldest first. */
export type History = readonly { readonly role: "user" | "assistant"; readonly content: string }[];

/** A file that goes with the first message. `path` is absolute and exists until `send` has returned. */
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
  /** The text captured so far, whole, so that a run that ends early keeps it. */
  onText(textSoFar: string): void;
  /** Returns when the reference is on disk. */
  onRef(ref: ConversationRef): Promise<void>;
  /** One line for the run's log. */
  log(line: string): void;
}

export interface Answer {
  readonly text: string;
  /** The state of the page, when there was a page. */
  readonly html: string | null;
  /** True only when the provider said, or the page proved, that the answer is finished. */
  readonly complete: boolean;
  /** Why it is not complete, in the provider's words. */
  readonly incompleteReason: string | null;
  readonly usage: TokenUsage | null;
  readonly model: string | null;
  /** How the text was obtained: `api`, `copy_button`, `dom`, … */
  readonly captureSource: string;
  readonly snapshots: readonly string[];
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

/** One conversation. Turns are sent in order; the context of earlier ones is kept (T-17). */
export interface Conversation {
  send(turn: EngineMessage, hooks: SendHooks): Promise<Answer>;
  /** Picks up the answer to a turn that an earlier process sent. Undefined where the engine cannot. */
  resume?(ref: ConversationRef, hooks: SendHooks): Promise<Answer>;
  /** Tells the other side that nobody waits any more, where it would otherwise go on and cost money. */
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
    /** The name by which a later process of the same run finds its tab again. */
    readonly key?: string;
    /** The message was sent by an earlier process: nothing new is opened, `resume` follows. */
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
  } | null;
}

/** The means that an engine may use while it opens. */
export type OpenHooks = Pick<SendHooks, "signal" | "log">;

/** Failures are thrown as FailureError; an abort of the signal ends every wait. */
export interface TransportEngine {
  readonly kind: EngineKind;
  /** Throws a failure that names an obstacle (no key, no browser) before anything is sent. */
  check(opening: EngineOpening): Promise<void>;
  open(opening: EngineOpening, hooks?: OpenHooks): Promise<Conversation>;
  /** The names of the models that the other side offers to this user; asks for nothing that costs. */
  models?(opening: EngineOpening, hooks: OpenHooks): Promise<readonly string[]>;
}

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
