// The browser of this machine and its user: its program, its folder, its limits.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { findBrowser, valueOf, type Variables } from "./installed/index.ts";
import { type BrowserMode, browserModes } from "./process/index.ts";
import type { BrowserDeps } from "./deps.ts";
import { fail } from "../../core/contract/index.ts";
import { redact } from "../../core/secrets/index.ts";
import { installedFile, lazy } from "../../platform/system/index.ts";

/** The variables that a browser needs to find its home and a screen. No key of the user is among them. */
const handedOn =
  /^(PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_.*|TZ|TMPDIR|TEMP|TMP|DISPLAY|XAUTHORITY|WAYLAND_DISPLAY|XDG_.*|DBUS_SESSION_BUS_ADDRESS|SYSTEMROOT|WINDIR|APPDATA|LOCALAPPDATA|USERPROFILE|PROGRAMFILES.*|(HTTPS?|NO|ALL)_PROXY)$/i;

function environment(env: Variables): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => handedOn.test(entry[0]) && entry[1] !== undefined,
    ),
  );
}

function modeOf(env: Variables): BrowserMode {
  const given = valueOf(env, "ORACLE_BROWSER_MODE") ?? "headless";
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

function attachOf(env: Variables): { attachPort?: number } {
  const given = valueOf(env, "ORACLE_BROWSER_ATTACH");
  if (given === undefined) return {};
  if (/^\d{1,5}$/.test(given) && Number(given) > 0 && Number(given) < 65_536)
    return { attachPort: Number(given) };
  return fail("invalid_input", `ORACLE_BROWSER_ATTACH=${given} is not a port of this machine.`, {
    remedy: "Name the debugging port of a browser that you started, e.g. ORACLE_BROWSER_ATTACH=9222.",
  });
}

export function browserDeps(home: string, env: Variables): BrowserDeps {
  return {
    folder: join(home, "browser"),
    executable: findBrowser(env),
    ...attachOf(env),
    mode: modeOf(env),
    args: (valueOf(env, "ORACLE_BROWSER_ARGS") ?? "").split(/\s+(?=--)/).filter((arg) => arg !== ""),
    // Chromium refuses to run as root with its sandbox; everybody else has it.
    noSandbox: process.getuid?.() === 0,
    maxTabs: whole(env, "ORACLE_BROWSER_TABS", 3),
    idleMs: whole(env, "ORACLE_BROWSER_IDLE_MS", 30_000),
    orphanMs: whole(env, "ORACLE_BROWSER_ORPHAN_MS", 60_000),
    leaseMs: 6 * 3_600_000,
    keeperProgram: installedFile("browser-keeper.js"),
    environment: environment(env),
    programs: lazy(() => ({
      page: readFileSync(installedFile("browser-page.txt"), "utf8"),
      clipboard: readFileSync(installedFile("browser-clipboard.txt"), "utf8"),
    })),
    redact: (text) => redact(text).text,
  };
}
