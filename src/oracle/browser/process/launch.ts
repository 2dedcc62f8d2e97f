// Starts the browser with the DevTools protocol on a pipe that only its parent holds: no port is opened.
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { startProgram } from "../../../platform/system/index.ts";
import type { LaunchSettings } from "./protocol.ts";

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
