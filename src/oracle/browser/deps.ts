// The dependencies of the browser engine: folders, programs and limits of this machine.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fail } from "../../core/contract/index.ts";
import { redact } from "../../core/secrets/index.ts";
import { installedFile, lazy } from "../../platform/system/index.ts";
import {
  type DebuggingDoor,
  type Display,
  type Variables,
  debuggingDoors,
  displayOf,
  findBrowser,
  findProgram,
  valueOf,
} from "./installed/index.ts";
import { browserModes, type BrowserMode } from "./process/protocol.ts";
import type { RemoteDeps } from "./remote/reach.ts";
import type { PagePrograms } from "./tab/tab.ts";

/** The environment variables that a browser needs for its home and a screen. Keys of the user are not passed. */
const handedOn =
  /^(PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_.*|TZ|TMPDIR|TEMP|TMP|DISPLAY|XAUTHORITY|WAYLAND_DISPLAY|XDG_.*|DBUS_SESSION_BUS_ADDRESS|SYSTEMROOT|WINDIR|APPDATA|LOCALAPPDATA|USERPROFILE|PROGRAMFILES.*|(HTTPS?|NO|ALL)_PROXY)$/i;

function environment(env: Variables): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => handedOn.test(entry[0]) && entry[1] !== undefined),
  );
}

function modeOf(env: Variables): BrowserMode {
  // Sites with a challenge refuse a browser without a window: that one is used on request only.
  const given = valueOf(env, "ORACLE_BROWSER_MODE") ?? "hidden";
  const known = browserModes.find((mode) => mode === given);
  return (
    known ??
    fail("invalid_input", `ORACLE_BROWSER_MODE=${given} is not known.`, {
      remedy: `Use one of: ${browserModes.join(", ")}`,
    })
  );
}

function whole(env: Variables, name: string, otherwise: number): number {
  const given = valueOf(env, name);
  if (given === undefined) return otherwise;
  if (/^\d{1,9}$/.test(given) && Number(given) > 0) return Number(given);
  return fail("invalid_input", `${name}=${given} is not a whole number.`, {
    remedy: `Correct or unset ${name}.`,
  });
}

/** ssh asks its agent for keys. */
const sshEnvironment = (env: Variables): Record<string, string> => ({
  ...environment(env),
  ...(env["SSH_AUTH_SOCK"] === undefined ? {} : { SSH_AUTH_SOCK: env["SSH_AUTH_SOCK"] }),
});

const toggle = "Open chrome://inspect/#remote-debugging in it and allow remote debugging (Chrome 144 or newer)";

function attachOf(env: Variables): DebuggingDoor | undefined {
  const given = valueOf(env, "ORACLE_BROWSER_ATTACH");
  if (given === undefined) return undefined;
  if (given === "chrome") {
    const newest = debuggingDoors(env)[0];
    return (
      newest ??
      fail("browser_missing", "No browser of yours takes connections.", {
        remedy: `${toggle}. Or start one with a port and name it: ORACLE_BROWSER_ATTACH=9222.`,
      })
    );
  }
  const port = Number(given);
  if (/^\d{1,5}$/.test(given) && port > 0 && port < 65_536)
    return debuggingDoors(env).find((door) => door.port === port) ?? { port, path: null };
  return fail("invalid_input", `ORACLE_BROWSER_ATTACH=${given} is not a port of this machine.`, {
    remedy:
      "Use ORACLE_BROWSER_ATTACH=chrome for the Chrome that you use, or the debugging port of one that you started.",
  });
}

/** Chrome asks its user about every new connection, so one is kept for long. */
const attachedIdleMs = 1_800_000;

export function browserDeps(home: string, env: Variables): BrowserDeps {
  const attach = attachOf(env);
  return {
    display: displayOf(env),
    folder: join(home, "browser"),
    siteData: valueOf(env, "ORACLE_BROWSER_DATA"),
    executable: findBrowser(env),
    named: valueOf(env, "ORACLE_BROWSER"),
    ...(attach ? { attach } : {}),
    mode: modeOf(env),
    args: (valueOf(env, "ORACLE_BROWSER_ARGS") ?? "").split(/\s+(?=--)/).filter((arg) => arg !== ""),
    // Chromium refuses to run as root with its sandbox.
    noSandbox: process.getuid?.() === 0,
    maxTabs: whole(env, "ORACLE_BROWSER_TABS", 3),
    idleMs: whole(env, "ORACLE_BROWSER_IDLE_MS", attach ? attachedIdleMs : 30_000),
    orphanMs: whole(env, "ORACLE_BROWSER_ORPHAN_MS", 60_000),
    leaseMs: 6 * 3_600_000,
    keeperProgram: installedFile("browser-keeper.js"),
    environment: environment(env),
    remote: {
      token: valueOf(env, "ORACLE_REMOTE_TOKEN"),
      ssh: findProgram(env, "ssh"),
      environment: sshEnvironment(env),
    },
    programs: lazy(() => ({
      page: readFileSync(installedFile("browser-page.txt"), "utf8"),
      clipboard: readFileSync(installedFile("browser-clipboard.txt"), "utf8"),
    })),
    redact: (text) => redact(text).text,
  };
}

export interface BrowserDeps {
  /** A private folder with the profile, the keeper's files and the user's own site data. */
  readonly folder: string;
  /** A data file of a site that the user points to. */
  readonly siteData?: string | undefined;
  /** The debugging door of a browser of the user's own, to be used instead of oracle's. */
  readonly attach?: DebuggingDoor;
  /** Undefined where no Chrome or Chromium is installed. */
  readonly executable: string | undefined;
  /** The program that the user names: no other is taken in its place. */
  readonly named?: string | undefined;
  readonly mode: BrowserMode;
  /** Where a window can be: on the screen, on a virtual display of that program, or nowhere. */
  readonly display: Display;
  readonly args: readonly string[];
  readonly noSandbox: boolean;
  readonly maxTabs: number;
  readonly idleMs: number;
  readonly orphanMs: number;
  readonly leaseMs: number;
  readonly keeperProgram: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What a connection to another machine needs. */
  readonly remote: RemoteDeps;
  programs(): PagePrograms;
  redact(text: string): string;
}

const withoutBrowser = "Without a browser: set OPENAI_API_KEY and use --engine api.";

export function mustExecutable({ executable, named }: BrowserDeps): string {
  if (executable !== undefined) return executable;
  const isNamed = named !== undefined;
  const message = isNamed
    ? `ORACLE_BROWSER names ${named}, and there is no such program.`
    : "No Chrome or Chromium was found.";
  return fail("browser_missing", message, {
    remedy:
      `${isNamed ? "Correct or unset ORACLE_BROWSER. " : ""}Install one (Debian: apt-get install chromium; macOS and Windows: Google Chrome), or name it in ORACLE_BROWSER. ` +
      withoutBrowser,
  });
}

/** A hidden window may be on a virtual display; a person needs to see a visible one. */
export function mustDisplay({ mode, display, attach }: BrowserDeps): void {
  if (mode === "headless" || display === "screen" || attach !== undefined) return;
  if (mode === "visible")
    fail("browser_missing", "This machine has no display (DISPLAY is not set), so no window can be shown.", {
      remedy:
        "Run the command where a screen is, e.g. in a desktop session or with: ssh -X HOST. " +
        "Or use a browser that you run yourself: ORACLE_BROWSER_ATTACH=chrome, or its debugging port.",
    });
  if (display === null)
    fail("browser_missing", "This machine has no display, and a browser with a window needs one.", {
      remedy:
        "Install Xvfb (Debian: apt-get install xvfb): oracle starts it as a virtual display. " +
        "Or run without a window: ORACLE_BROWSER_MODE=headless. Sites with a challenge refuse that. " +
        withoutBrowser,
    });
}
