// Wires the transport's rooms together, with the environment.
import { join } from "node:path";
import process from "node:process";
import { badCheck, type DoctorCheck, okCheck } from "../../core/contract/index.ts";
import { type TransportEngine, type SessionShelf, sites, type Transport } from "../../core/contract/transport/index.ts";
import { findSecrets, redact, type SecretOptions } from "../../core/secrets/index.ts";
import { isDescendantOfRun, lazy, showNotice, thisProcess } from "../../platform/system/index.ts";
import {
  createTransport,
  doctor,
  openGitDoor,
  prepareBundle,
  spawnRunner,
  userGitReader,
} from "../../oracle/transport/index.ts";
import { createCommandRunner } from "../../platform/sandbox/index.ts";
import { type OpenBrowser, browserHome } from "../browser.ts";
import { mayShareStore, sharedStoreOf } from "../../platform/config/shared-store/index.ts";
import { configsOf, userSecrets } from "../configs.ts";
import { readEnvironment } from "../environment.ts";
import { userProgram } from "../user-program.ts";
import { readOracleConfigs, readOracleUserConfig } from "../../platform/config/index.ts";

export { runSession } from "../../oracle/transport/index.ts";
export const oracleHome = browserHome;

/** The folder that MCP clients are confined to, when the user has set one. */
export const mcpRoot = (): string | null => readOracleUserConfig(oracleHome()).mcpRoot ?? null;

/** Whether the user lets MCP clients push. */
export const mcpMayPush = (): boolean => readOracleUserConfig(oracleHome()).mcpPush ?? false;

/** Keys are read at the moment of use and kept nowhere. */
const keyOf = (name: string) => process.env[name] || undefined;

async function engineOf(kind: "api" | "browser", openBrowser: OpenBrowser): Promise<TransportEngine> {
  if (kind === "api") {
    const { apiEngine } = await import("../../agents/api/index.ts");
    return apiEngine({ key: keyOf, proxyEnv: proxies() });
  }
  return openBrowser();
}

function proxies(): Record<string, string | undefined> {
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"];
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

async function browserLine(home: string): Promise<DoctorCheck> {
  const { displayOf, findBrowser, loggedInSites } = await import("../../oracle/browser/installed/index.ts");
  const name = "browser";
  const found = findBrowser(process.env);
  if (found === undefined) return badCheck(name, "warning", "no Chrome or Chromium", "needed for --engine browser");
  if (displayOf(process.env) === null && process.env["ORACLE_BROWSER_MODE"] !== "headless")
    return badCheck(name, "warning", `${found}; no display for its window`, "install Xvfb: apt-get install xvfb");
  const sites = loggedInSites(join(home, "browser"));
  return sites.length === 0
    ? badCheck(name, "warning", `${found}; no site has a login`, "oracle browser login")
    : okCheck(name, `${found}; logged in: ${sites.join(", ")}`);
}

async function pages(home: string) {
  const { loggedInSites } = await import("../../oracle/browser/installed/index.ts");
  const there = loggedInSites(join(home, "browser"));
  return sites.map((site) => ({ site, loggedIn: there.includes(site) }));
}

function redactText(text: string, secrets: SecretOptions) {
  if (findSecrets(text, secrets).length === 0) return { text, labels: [] };
  const { text: clean, matches } = redact(text, secrets);
  return { text: clean, labels: [...new Set(matches.map(({ label }) => label))].sort() };
}

/** The user's own rules on secrets, as `thehood` has them; a problem with them is reported when a request is made. */
async function secretRules(): Promise<{ readonly rules: SecretOptions; readonly trouble: unknown }> {
  try {
    return { rules: await userSecrets(readEnvironment()), trouble: undefined };
  } catch (trouble) {
    return { rules: {}, trouble };
  }
}

/** The sessions of the team, where the user shares a store; nothing of it is loaded elsewhere. */
function sharedShelf(): (() => Promise<SessionShelf>) | undefined {
  const environment = readEnvironment();
  if (!mayShareStore(environment)) return undefined;
  const store = sharedStoreOf(environment, configsOf(environment).user());
  return store && lazy(async () => (await import("../../platform/store/postgres/index.ts")).openSessionShelf(store));
}

export async function openTransport(openBrowser: OpenBrowser, cwd: string = process.cwd()): Promise<Transport> {
  const home = oracleHome();
  const { env } = process;
  const shelf = sharedShelf();
  const { rules, trouble } = await secretRules();
  const countSecrets = (text: string) => findSecrets(text, rules).length;
  const configs = () => {
    if (trouble !== undefined) throw trouble;
    return readOracleConfigs(home, cwd);
  };
  return createTransport({
    home,
    shelf,
    cwd,
    env,
    now: () => Date.now(),
    owner: thisProcess,
    configs,
    engine: (kind) => engineOf(kind, openBrowser),
    redact: (text) => redactText(text, rules),
    countSecrets,
    startedByRun: isDescendantOfRun,
    notify: (notice) => showNotice(notice, env, (name) => userProgram(name, cwd)),
    git: openGitDoor({
      user: userGitReader(env),
      // The repository's own helper is trusted: it runs as it would for the person who calls it.
      runner: () => createCommandRunner({ environment: env, sandbox: "off" }),
      countSecrets,
    }),
    bundle: (request, signal) => prepareBundle(request, signal, rules),
    spawn: spawnRunner(env),
    pages: () => pages(home),
    doctor: () => doctor({ home, env, configs, browser: () => browserLine(home) }),
  });
}
