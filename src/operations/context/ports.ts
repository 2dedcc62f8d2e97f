// The ports of operations, as the app wires them. Everything heavy is behind a function, loaded when it is called.
import type { GatewayPort } from "./gateway.ts";
import type { BrowserPort, ListedSession, SessionView } from "../../core/contract/transport/index.ts";
import type { Fleet } from "./fleet.ts";
import type { Queue } from "./queue.ts";
import type { RepositoryRuns } from "./runs.ts";
import type { Issue } from "../../core/crew/issue/index.ts";
import type { ForgeRequest, RequestCheck } from "../../core/crew/request/index.ts";
import type { RepositoryReader } from "./repo.ts";
import type { Notice, SentNotice, Judges, PatchApplied, PatchCheckOptions, Spell } from "../../core/contract/index.ts";
import type { HostConfigured, HostRequest, HostRow, Setup } from "../../core/contract/setup/index.ts";

/** How the MCP server is to be served. */
export interface ServeOptions {
  /** The first is the one that is meant when a client names none. */
  readonly roots: readonly string[];
  /** A person named the first of them; otherwise it is wherever a host happened to start us. */
  readonly named: boolean;
  /** `tools/list` names all tools. */
  readonly allTools: boolean;
  readonly http?:
    | {
        readonly host: string;
        readonly port: number;
        /** A person said that other machines may reach it. */
        readonly remote: boolean;
        /** The token is kept for the next start. */
        readonly keepToken: boolean;
      }
    | undefined;
  readonly signal: AbortSignal;
  /** How a person types a suggestion in a terminal. */
  readonly terminal: Spell;
}

/** How the page is to be served. */
export interface WebOptions {
  readonly folder: string;
  /** The run that the page opens at; its home without. */
  readonly runId: string | null;
  readonly port: number;
  /** For a phone too: an address of the local network, or true for the first one. */
  readonly lan: string | true | null;
  /** How many days a browser that is let in stays so; 0 for the life of its tab. */
  readonly pairedDays: number;
  /** Notifies the person that a gate waits. */
  readonly notices: { readonly desktop: boolean; readonly webhook: string | null };
  /** Open the browser too. */
  readonly open: boolean;
  readonly signal: AbortSignal;
  /** How a person types a suggestion in a terminal. */
  readonly terminal: Spell;
  /** The lines that a person types while it serves. */
  readonly lines: AsyncIterable<string> | undefined;
}

/** A browser or phone that stays let in to the page. */
export interface PairedDevice {
  readonly id: string;
  readonly name: string;
  /** `gates`: it shows runs and decides; it starts and ends nothing. */
  readonly reach: "all" | "gates";
  readonly port: number;
  readonly since: number;
  readonly until: number;
  readonly lastSeen: number;
}

export interface DevicesPort {
  list(): readonly PairedDevice[];
  /** True if the device was paired until now. */
  revoke(id: string): boolean;
}

/** GitHub through `gh`, or GitLab through `glab`. */
export interface ForgePort {
  /** Where its issues and requests are. */
  readonly base: { readonly host: string; readonly path: string };
  issue(id: string): Promise<Issue>;
  /** A pull request or merge request, with its open comments and its checks. */
  request(id: string): Promise<ForgeRequest>;
  /** The address of the open request of a branch. */
  find(branch: string): Promise<string | undefined>;
  /** Takes the draft mark away. */
  ready(id: string): Promise<void>;
  /** The log of a check that failed; where it cannot be read, the reason. */
  log(check: RequestCheck): Promise<string>;
}

export interface Ports {
  readonly judges: Judges;
  readonly setup: Setup;
  /** The browser that web plans are used in. */
  browser(): Promise<BrowserPort>;
  /** The runs of the repository that holds a folder. */
  runs(folder: string): Promise<RepositoryRuns>;
  /** The repositories in which this user has runs, the one that holds `folder` first. */
  repositories(folder: string): Promise<readonly string[]>;
  /** The workers that advance runs of a shared store. */
  fleet(): Promise<Fleet>;
  /** The queue of this machine. */
  /** `read` also works on a disk that is full. */
  queue(mode?: "read"): Promise<Queue>;
  /** Looking at a folder as a guest may: no secrets, no way out. */
  look(folder: string): Promise<RepositoryReader>;
  /** Lets a process of its own advance a run; returns when that is started. */
  detach(
    repo: string,
    runId: string,
    how?: { readonly besideOnly?: boolean; readonly maxCycles?: number | undefined },
  ): Promise<void>;
  /** The public key by which others verify what this user signs. It is made when there is none. */
  publicKey(): Promise<{ readonly id: string; readonly pem: string }>;
  /** The forge that holds the repository of a folder, asked with the user's own program. */
  forge(folder: string): Promise<ForgePort>;
  /** Whether the user's own configuration lets programs carry a person's answers to gates. */
  hostMayApprove(): Promise<boolean>;
  /** Whether an agent or a check of a run started this process, where no sandbox holds them. */
  startedByRun(): Promise<boolean>;
  /** Sends a notice by every way that the user has set. */
  notify(notice: Omit<Notice, "link">, folder: string): Promise<readonly SentNotice[]>;
  /** Serves until the client leaves or the signal fires. */
  serveMcp(options: ServeOptions): Promise<void>;
  /** Writes a run as one page that needs no server; tells where. */
  savePage(file: string, record: object): Promise<{ readonly file: string; readonly bytes: number }>;
  /** The browsers and phones that stay let in to the page. */
  devices(): Promise<DevicesPort>;
  /** Serves the page until the signal fires. */
  serveWeb(options: WebOptions): Promise<void>;
  readonly gateway: GatewayPort;
  /** The sessions of `oracle`, newest first, for looking only. */
  oracleSessions(): Promise<readonly ListedSession[]>;
  oracleSession(id: string): Promise<{ readonly view: SessionView; readonly answer: string | null }>;
  configureHost(request: HostRequest): Promise<HostConfigured>;
  listHosts(repo: string): Promise<readonly HostRow[]>;
  applyPatch(patch: Uint8Array, options: PatchCheckOptions & { readonly repo: string }): Promise<PatchApplied>;
}
