// The browser process: started with the DevTools protocol on a pipe, without a port, or attached to by the user's port.
import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { startProgram } from "../../../platform/system/index.ts";
import { frames } from "../cdp/client.ts";
import type { LaunchSettings } from "./protocol.ts";

type AttachDoor = NonNullable<LaunchSettings["attach"]>;

async function askedAddress(port: number): Promise<string> {
  const reply = await fetch(`http://127.0.0.1:${port}/json/version`, { signal: AbortSignal.timeout(5_000) });
  const { webSocketDebuggerUrl: url } = (await reply.json()) as { webSocketDebuggerUrl?: string };
  // The browser returns the host that was requested; every other host is refused.
  if (url === undefined || new URL(url).host !== `127.0.0.1:${port}`)
    throw new Error(`port ${port} is not a debugging port of a browser`);
  return url;
}

async function openSocket(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url);
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve(), { once: true });
    socket.addEventListener("error", () => reject(new Error(`${new URL(url).host} took no connection`)), {
      once: true,
    });
  });
  return socket;
}

/**
 * A browser that was opened by its own toggle tells its address in its profile only, and asks its user before it answers.
 * Such a file may be left over from an earlier browser: then the port is asked, as of one that was started with a port.
 */
async function connect({ port, path }: AttachDoor): Promise<WebSocket> {
  if (path === null) return await openSocket(await askedAddress(port));
  const kept = `ws://127.0.0.1:${port}${path}`;
  try {
    return await openSocket(kept);
  } catch (error) {
    const asked = await askedAddress(port).catch(() => kept);
    if (asked === kept) throw error;
    return await openSocket(asked);
  }
}

/** Messages end with a zero byte, as on a pipe; the WebSocket has its own frames. */
export function attachToBrowser(door: AttachDoor): BrowserProcess {
  const input = new PassThrough();
  /** Messages that were sent before the connection was open. */
  const out = new PassThrough();
  let ended: string | null = null;
  const listeners: ((why: string) => void)[] = [];
  const end = (why: string) => {
    if (ended !== null) return;
    ended = why;
    for (const listener of listeners) listener(why);
  };
  const opened = (async () => {
    const socket = await connect(door);
    socket.addEventListener("message", ({ data }) => input.write(`${String(data)}\0`));
    socket.addEventListener("close", () => end("the browser closed the connection"));
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
    // The browser belongs to the user: only the connection is closed.
    kill: () => void opened.then((socket) => socket.close()).catch(() => undefined),
  };
}

/** Services that send page data to the browser's vendor or download components during a run, and DNS over HTTPS. */
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

/** Nobody sees a virtual display: the window can be where it is painted. */
const virtual = ["--window-position=0,0", "--mute-audio", "--disable-gpu", "--ozone-platform=x11"];

/** A browser that the keeper controls: its own, or one of the user. */
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

export function launch({
  executable,
  profile,
  mode,
  args,
  noSandbox,
  virtualDisplay,
  display,
}: LaunchSettings): BrowserProcess {
  mkdirSync(profile, { recursive: true, mode: 0o700 });
  chmodSync(profile, 0o700);
  const line = [
    `--user-data-dir=${profile}`,
    ...always,
    ...(virtualDisplay === undefined ? byMode[mode] : virtual),
    ...(noSandbox ? ["--no-sandbox"] : []),
    ...args,
    "about:blank",
  ];
  // `env` sets the variables and becomes the browser, with the same process id.
  const variables = Object.entries(display ?? {}).map(([name, value]) => `${name}=${value}`);
  const [program, words] = display ? ["/usr/bin/env", [...variables, executable, ...line]] : [executable, line];
  // Its output is discarded: it may contain visited URLs.
  const child = startProgram(() => spawn(program, words, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] }));
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
