// The ports of the operations, wired to the rooms. A room is imported at its first use.
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { GatewayPort, Ports } from "../operations/index.ts";
import { evidenceDir, readEnvironment, type Environment } from "./environment.ts";
import { applyPatchFile, createJudges } from "../workspace/judge/index.ts";
import { lazy } from "../platform/system/index.ts";

/** Each of them once: the compiler names one that lacks. */
const setupNames: Readonly<Record<keyof Ports["setup"], 0>> = {
  init: 0,
  importPreview: 0,
  doctor: 0,
  roles: 0,
  setRole: 0,
  setRoles: 0,
  teams: 0,
  applyTeam: 0,
  models: 0,
  config: 0,
  origins: 0,
  setConfig: 0,
  addCheck: 0,
  removeCheck: 0,
  setPolicy: 0,
  access: 0,
  allowDestination: 0,
  revokeDestination: 0,
  demo: 0,
};

/** The functions of a room that is opened with the first call of one. */
const whenAsked = <T extends object>(open: () => Promise<T>, names: Readonly<Record<keyof T, 0>>): T =>
  Object.fromEntries(
    Object.keys(names).map((name) => [
      name,
      async (...args: unknown[]) =>
        ((await open()) as Record<string, (...given: unknown[]) => unknown>)[name]?.(...args),
    ]),
  ) as T;

export function createPorts(environment: () => Environment = lazy(readEnvironment)): Ports {
  const setup = lazy(async () => (await import("./setup.ts")).openSetup(environment()));
  const secrets = async () => (await import("./configs.ts")).userSecrets(environment());
  const judges = createJudges(secrets);
  return {
    judges,
    setup: whenAsked(setup, setupNames),
    applyPatch: (patch, options) => applyPatchFile(patch, options, secrets),
    repositories: async (folder) => {
      const { locateRepository } = await import("../platform/git/index.ts");
      const { knownRepositories } = await import("../runtime/runs/repositories/index.ts");
      const { root } = locateRepository(folder);
      return [root, ...knownRepositories(environment().stateDir).filter((known) => known !== root)];
    },
    browser: async () => (await import("./browser.ts")).openBrowserPort(),
    look: async (folder) => (await import("./repository-reader.ts")).openRepositoryReader(folder, environment()),
    async detach(repo, runId, how) {
      const { advanceDetached } = await import("../runtime/runs/background/index.ts");
      await advanceDetached({ ...how, repo, runId, env: process.env });
    },
    publicKey: async () => {
      const { userKey } = await import("../workspace/evidence/index.ts");
      const { id, pem } = userKey(evidenceDir(environment()));
      return { id, pem };
    },
    forge: async (folder) => (await import("./forge.ts")).openForge(folder),
    startedByRun: async () => (await import("../platform/system/index.ts")).isDescendantOfRun(),
    hostMayApprove: async () => {
      const { configsOf } = await import("./configs.ts");
      return configsOf(environment()).user().policy?.hostMayApprove === true;
    },
    notify: async (notice, folder) => (await import("./notices.ts")).notifyUser(notice, folder, environment()),
    serveMcp: async (options) => (await import("./mcp.ts")).serveMcp(options),
    savePage: async (file, record) => (await import("../surfaces/web/index.ts")).savePage(file, record, process.cwd()),
    devices: async () => (await import("./web.ts")).pairedDevices(environment()),
    serveWeb: async (options) => (await import("./web.ts")).runWeb(options),
    gateway: lateGateway(environment),
    oracleSessions: async () => (await import("./oracle/sessions.ts")).oracleSessions(),
    oracleSession: async (id) => (await import("./oracle/sessions.ts")).oracleSession(id),
    configureHost: async (request) =>
      (await import("../surfaces/host-config/index.ts")).configureHost(request, environment()),
    listHosts: async (repo) => (await import("../surfaces/host-config/index.ts")).listHosts(repo, environment()),
    queue: async (mode) => (await import("./queue.ts")).openQueue(environment(), mode),
    fleet: async () => (await import("./fleet.ts")).openFleet(environment()),
    runs: async (folder) => (await import("./runs.ts")).openRepositoryRuns(folder, environment()),
  };
}

const mayRunGateway = ({ stateDir, variables }: Environment): boolean =>
  Boolean(variables["THEHOOD_GATEWAY_URL"]) || existsSync(join(stateDir, "gateway", "running.json"));

function lateGateway(environment: () => Environment): GatewayPort {
  const opened = async () => (await import("./gateway.ts")).gatewayOf(environment());
  return {
    async *serve(options) {
      yield* (await opened()).serve(options);
    },
    async *dev(options) {
      yield* (await opened()).dev(options);
    },
    // Lists call it often: without a gateway nothing more is loaded.
    sessions: async () => (mayRunGateway(environment()) ? (await opened()).sessions() : []),
    saveFiles: async (...args) => (await opened()).saveFiles(...args),
    ask: async (...args) => (await opened()).ask(...args),
    async *events(...args) {
      yield* (await opened()).events(...args);
    },
  };
}
