// Starts the browser with the DevTools protocol on a pipe that only its parent holds: no port is opened.
import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { startProgram } from "../../../platform/system/index.ts";
import { frames } from "../cdp/client.ts";
import type { LaunchSettings } from "./protocol.ts";

async function addressOf(port: number): Promise<string> {
  const reply = await fetch(`http://127.0.0.1:${port}/json/version`, { signal: AbortSignal.timeout(5_000) });
  const { webSocketDebuggerUrl: url } = (await reply.json()) as { webSocketDebuggerUrl?: string };
  // The browser tells the name that it was asked by; nothing else may stand there.
  if (url === undefined || new URL(url).host !== `127.0.0.1:${port}`)
    throw new Error(`port ${port} is no debugging port of a browser`);
  return url;
}

/** Messages end with a zero byte here, as they do on a pipe; the socket has frames of its own. */
export function attachToBrowser(port: number): BrowserProcess {
  const input = new PassThrough();
  /** Holds what is said before the connection is there. */
  const out = new PassThrough();
  let ended: string | null = null;
  const listeners: ((why: string) => void)[] = [];
  const end = (why: string) => {
    if (ended !== null) return;
    ended = why;
    for (const listener of listeners) listener(why);
  };
  const opened = (async () => {
    const socket = new WebSocket(await addressOf(port));
    socket.addEventListener("message", ({ data }) => input.write(`${String(data)}\0`));
    socket.addEventListener("close", () => end("the browser closed the connection"));
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener("open", () => resolve(), { once: true });
      socket.addEventListener("error", () => reject(new Error(`port ${port} takes no connection`)), {
        once: true,
      });
    });
    out.on(
      "data",
      frames(0, (message) => socket.send(message)),
    );
    return socket;
  })();
  opened.catch((error: unknown) => end(`the browser could not be reached: ${String(error)}`));
  return {
    own: false,
    pid: null,
    input,
    out,
    onEnd: (listener) => void (ended === null ? listeners.push(listener) : listener(ended)),
    get alive() {
      return ended === null;
    },
    // The browser is the user's: only the connection ends.
    kill: () => void opened.then((socket) => socket.close()).catch(() => undefined),
  };
}

/** Services that would talk to the browser's maker about what is on the page, or fetch parts while a run works; and names
 * that are asked of another service than the one that this machine asks. */
const offFeatures = [
  "AutofillServerCommunication",
  "CertificateTransparencyComponentUpdater",
  "DialMediaRouteProvider",
  "DnsOverHttpsUpgrade",
  "MediaRouter",
  "OptimizationGuideModelDownloading",
  "OptimizationHints",
  "OptimizationHintsFetching",
  "OptimizationTargetPrediction",
  "Translate",
];

const always = [
  "--remote-debugging-pipe",
  "--no-first-run",
  "--no-default-browser-check",
  "--no-service-autorun",
  "--disable-background-networking",
  "--disable-background-timer-throttling",
  "--disable-backgrounding-occluded-windows",
  "--disable-breakpad",
  "--disable-client-side-phishing-detection",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-dev-shm-usage",
  "--disable-domain-reliability",
  `--disable-features=${offFeatures.join(",")}`,
  "--disable-hang-monitor",
  "--disable-ipc-flooding-protection",
  "--disable-popup-blocking",
  "--disable-prompt-on-repost",
  "--disable-renderer-backgrounding",
  "--disable-search-engine-choice-screen",
  "--disable-sync",
  "--hide-crash-restore-bubble",
  "--metrics-recording-only",
  "--window-size=1280,900",
];

const byMode = {
  headless: ["--headless=new", "--disable-gpu", "--mute-audio"],
  hidden: ["--window-position=-32000,-32000", "--start-minimized", "--mute-audio"],
  visible: [],
} as const;

/** A browser that the keeper talks to: one of its own, or one that the user runs. */
export interface BrowserProcess {
  readonly own: boolean;
  readonly pid: number | null;
  readonly input: Readable;
  readonly out: Writable;
  readonly alive: boolean;
  /** Called once, also when it has ended before. */
  onEnd(listener: (why: string) => void): void;
  kill(): void;
}

export function launch({ executable, profile, mode, args, noSandbox }: LaunchSettings): BrowserProcess {
  mkdirSync(profile, { recursive: true, mode: 0o700 });
  chmodSync(profile, 0o700);
  const line = [
    `--user-data-dir=${profile}`,
    ...always,
    ...byMode[mode],
    ...(noSandbox ? ["--no-sandbox"] : []),
    ...args,
    "about:blank",
  ];
  // Its own words go nowhere: they may hold addresses that it visits.
  const child = startProgram(() =>
    spawn(executable, line, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] }),
  );
  return heldOf(child);
}

const heldOf = (child: ChildProcess): BrowserProcess => ({
  own: true,
  pid: child.pid ?? null,
  out: child.stdio[3] as Writable,
  input: child.stdio[4] as Readable,
  get alive() {
    return child.exitCode === null && child.signalCode === null && child.pid !== undefined;
  },
  onEnd(listener) {
    child.on("error", (error) => listener(`the browser could not be started: ${error.message}`));
    child.on("exit", (code, signal) => listener(`the browser ended (${signal ?? code})`));
  },
  kill: () => void child.kill("SIGKILL"),
});
