// The messages between a run and the keeper of the browser, one JSON line each, over a socket in a private folder.
import type { LeaseOwner } from "../../../core/contract/index.ts";
import type { Params } from "../cdp/client.ts";

export interface LaunchSettings {
  readonly executable: string;
  readonly profile: string;
  readonly mode: BrowserMode;
  /** Additional arguments of the user. */
  readonly args: readonly string[];
  /** True only where the system forbids the browser its own sandbox: for root. */
  readonly noSandbox: boolean;
  /** The program of a virtual display, where a window is wanted and the machine has no screen. */
  readonly virtualDisplay?: string | undefined;
  /** The variables that lead to the virtual display, once it is started. */
  readonly display?: Readonly<Record<string, string>> | undefined;
  /** The debugging door of a browser of the user's own; then no browser is started. */
  readonly attach?: { readonly port: number; readonly path: string | null };
}

export const browserModes = ["headless", "hidden", "visible"] as const;
export type BrowserMode = (typeof browserModes)[number];

export interface KeeperSettings {
  readonly folder: string;
  readonly launch: LaunchSettings;
  readonly maxTabs: number;
  /** How long the browser stays when no run uses it. */
  readonly idleMs: number;
  /** How long the tab of a dead run waits for its successor. */
  readonly orphanMs: number;
  /** A run without any message for this long loses its tab. */
  readonly leaseMs: number;
}

interface TabView {
  readonly key: string;
  readonly owner: LeaseOwner;
  readonly targetId: string;
  readonly since: string;
  readonly state: "in_use" | "orphan";
}

export interface KeeperView {
  readonly pid: number;
  readonly browserPid: number | null;
  readonly product: string;
  readonly mode: BrowserMode;
  readonly tabs: readonly TabView[];
  readonly waiting: number;
  readonly maxTabs: number;
}

export type Ask =
  | { readonly ask: "lease"; readonly key: string; readonly owner: LeaseOwner }
  | { readonly ask: "release" }
  | { readonly ask: "view" }
  | { readonly ask: "stop" }
  /** The first words of oracle on another machine; only its `oracle serve` answers. */
  | { readonly ask: "hello"; readonly protocol: number; readonly host: string }
  /** Puts a file on the machine of the browser, for an upload. */
  | { readonly ask: "file"; readonly name: string; readonly base64: string }
  /** From now on files that the pages download come here, and not into the user's folder. */
  | { readonly ask: "catch" }
  /** The files that the page of this run has downloaded since it was asked last. */
  | { readonly ask: "downloads" }
  /** The frames of other sites in the page of this run, which have processes of their own. */
  | { readonly ask: "frames" }
  /** `frame`: one of those frames, by its session. */
  | { readonly ask: "cdp"; readonly method: string; readonly params: Params; readonly frame?: string };

/** The answer to `frames`: the session and the address of each. */
export interface ForeignFrames {
  readonly frames: readonly { readonly session: string; readonly url: string }[];
}

/** The answer to `downloads`. */
export interface Downloads {
  readonly files: readonly { readonly name: string; readonly base64: string }[];
  /** Files that are still coming. */
  readonly pending: number;
  /** Names of files that did not come, or were too large. */
  readonly lost: readonly string[];
}

export type Request = Ask & { readonly id: number };

export type Reply =
  | { readonly id: number; readonly result: Params }
  | { readonly id: number; readonly error: string }
  | { readonly event: string; readonly params: Params }
  | { readonly gone: string };

/** The only requests that reach the browser. Nothing here reads or writes a cookie or a stored login. */
export const allowedMethods: ReadonlySet<string> = new Set([
  "DOM.setFileInputFiles",
  "Emulation.setFocusEmulationEnabled",
  "Input.dispatchKeyEvent",
  "Input.dispatchMouseEvent",
  "Input.insertText",
  "Inspector.enable",
  "Network.enable",
  "Page.bringToFront",
  "Page.captureScreenshot",
  "Page.createIsolatedWorld",
  "Page.enable",
  "Page.getFrameTree",
  "Page.getResourceContent",
  "Page.handleJavaScriptDialog",
  "Page.navigate",
  "Page.reload",
  "Page.setInterceptFileChooserDialog",
  "Runtime.callFunctionOn",
  "Runtime.enable",
  "Runtime.evaluate",
]);

/** The only events that leave the keeper, without the headers that carry cookies. */
export const forwardedEvents: ReadonlySet<string> = new Set([
  "Inspector.targetCrashed",
  "Network.dataReceived",
  "Network.loadingFailed",
  "Network.loadingFinished",
  "Network.requestWillBeSent",
  "Network.webSocketFrameSent",
  "Page.fileChooserOpened",
  "Page.frameNavigated",
  "Page.javascriptDialogOpening",
]);
