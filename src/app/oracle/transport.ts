// Wires the transport's rooms together, with the environment.
import { join } from "node:path";
import process from "node:process";
import { type DoctorLine, type Engine, sites, type Transport } from "../../contract/transport/index.ts";
import { findSecrets, redact } from "../../secrets/index.ts";
import { thisProcess } from "../../system/index.ts";
import {
  countTokens,
  createTransport,
  doctor,
  openGitDoor,
  prepareBundle,
  spawnRunner,
  userGitReader,
} from "../../transport/index.ts";
import { createCommandRunner } from "../../sandbox/index.ts";
import { type OpenBrowser, browserHome } from "../browser.ts";
import { readOracleConfigs, readOracleUserConfig } from "../../config/index.ts";

export { runSession } from "../../transport/index.ts";
export const oracleHome = browserHome;

/** The folder that MCP clients are confined to, when the user has set one. */
export const mcpRoot = (): string | null => readOracleUserConfig(oracleHome()).mcpRoot ?? null;

/** Keys are read at the moment of use and kept nowhere. */
const keyOf = (name: string) => process.env[name] || undefined;

async function engineOf(kind: "api" | "browser", openBrowser: OpenBrowser): Promise<Engine> {
  if (kind === "api") {
    const { apiEngine } = await import("../../providers/api/index.ts");
    return apiEngine({ key: keyOf, proxyEnv: proxies() });
  }
  return openBrowser();
}

function proxies(): Record<string, string | undefined> {
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"];
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

async function browserLine(home: string): Promise<DoctorLine> {
  const { findBrowser, loggedInSites } = await import("../../browser/found/index.ts");
  const name = "browser";
  const found = findBrowser(process.env);
  if (found === undefined)
    return { name, state: "warning", detail: "no Chrome or Chromium; needed for --engine browser" };
  const sites = loggedInSites(join(home, "browser"));
  return sites.length === 0
    ? { name, state: "warning", detail: `${found}; nobody has logged in: oracle browser login` }
    : { name, state: "ok", detail: `${found}; logged in: ${sites.join(", ")}` };
}

async function pages(home: string) {
  const { loggedInSites } = await import("../../browser/found/index.ts");
  const there = loggedInSites(join(home, "browser"));
  return sites.map((site) => ({ site, loggedIn: there.includes(site) }));
}

function redactText(text: string) {
  if (findSecrets(text).length === 0) return { text, labels: [] };
  const { text: clean, matches } = redact(text);
  return { text: clean, labels: [...new Set(matches.map(({ label }) => label))].sort() };
}

export function openTransport(openBrowser: OpenBrowser, cwd: string = process.cwd()): Transport {
  const home = oracleHome();
  const { env } = process;
  const configs = () => readOracleConfigs(home, cwd);
  return createTransport({
    home,
    cwd,
    env,
    now: () => Date.now(),
    owner: thisProcess,
    configs,
    engine: (kind) => engineOf(kind, openBrowser),
    redact: redactText,
    git: openGitDoor({
      user: userGitReader(env),
      // The repository's own helper is no stranger: it runs as it would for the person who calls it.
      runner: () => createCommandRunner({ environment: env, sandbox: "off" }),
      countSecrets: (text) => findSecrets(text).length,
    }),
    bundle: prepareBundle,
    countTokens,
    spawn: spawnRunner(env),
    pages: () => pages(home),
    doctor: () => doctor({ home, env, configs, browser: () => browserLine(home) }),
  });
}
