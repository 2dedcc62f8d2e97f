// Wires the gateway: its folder, the endpoints and keys of models, and the programs of this machine.
import { join } from "node:path";
import process from "node:process";
import { mayShareStore, sharedStoreOf } from "../platform/config/shared-store/index.ts";
import { gatewayClient, saveFiles, type GatewayClient } from "../gateway/index.ts";
import { endpointsOf, openDev, serveGateway } from "../gateway/process/index.ts";
import type { GatewayStore } from "../gateway/store/index.ts";
import { FailureError } from "../core/contract/index.ts";
import type { GatewayPort, SessionRow } from "../operations/index.ts";
import { findKeychain, whereKept, type Keychain } from "../platform/keychain/index.ts";
import { findProgram } from "../platform/sandbox/index.ts";
import { clock, thisProcess } from "../platform/system/index.ts";
import { type Environment, version } from "./environment.ts";

const log = (entry: object): void => void process.stderr.write(`${JSON.stringify({ at: clock.now(), ...entry })}\n`);

const folderOf = ({ stateDir }: Environment): string => join(stateDir, "gateway");

export const keychainOf = ({ variables }: Environment): Keychain | undefined =>
  findKeychain(variables, (name) => findProgram(name, variables["PATH"] ?? ""));

export const keysAre = (environment: Environment): Promise<string> =>
  whereKept(join(folderOf(environment), "keys"), keychainOf(environment));

/** The client of the running gateway; fails if none runs. */
export const clientOf = (environment: Environment): GatewayClient =>
  gatewayClient({
    folder: folderOf(environment),
    url: environment.variables["THEHOOD_GATEWAY_URL"],
    token: environment.variables["THEHOOD_GATEWAY_TOKEN"],
    keychain: keychainOf(environment),
  });

/** Gateways of one team on several machines share the database of its runs. */
async function openShared(environment: Environment): Promise<GatewayStore | undefined> {
  const store = sharedStoreOf(environment, (await import("./configs.ts")).configsOf(environment).user());
  if (!store) return undefined;
  const { openSharedGatewayStore } = await import("../gateway/store/postgres/index.ts");
  return openSharedGatewayStore(store, thisProcess());
}

const sessionsMs = 2_000;

/** The sessions of a gateway; empty if it does not answer within 2 s, because lists must not wait. */
async function sessionsOf(environment: Environment): Promise<readonly SessionRow[]> {
  try {
    const signal = AbortSignal.timeout(sessionsMs);
    const answer = await clientOf(environment).ask("GET", "/api/sessions", undefined, signal);
    return (answer as { sessions: SessionRow[] }).sessions.map((session) => ({
      id: session.id,
      kind: session.kind,
      status: session.status,
      title: session.title,
      model: session.model,
      createdAt: session.createdAt,
      updatedAt: session.updatedAt,
      error: session.error,
      ...(session.requested?.length ? { requested: session.requested } : {}),
    }));
  } catch (error) {
    if (error instanceof FailureError) return [];
    throw error;
  }
}

export function gatewayOf(environment: Environment): GatewayPort {
  const { variables } = environment;
  const folder = folderOf(environment);
  return {
    serve: (options) =>
      serveGateway({
        ...options,
        folder,
        version,
        clock,
        log,
        ...(mayShareStore(environment) ? { openStore: () => openShared(environment) } : {}),
        path: variables["PATH"] ?? "",
        keychain: keychainOf(environment),
        endpoints: endpointsOf(options, variables),
      }),
    async *dev({ port, sessions, signal }) {
      const dev = await openDev({ port, sessions, version, clock, log });
      yield dev.output;
      await dev.until(signal);
    },
    sessions: () => sessionsOf(environment),
    saveFiles: (...args) => saveFiles(...args),
    ask: (...args) => clientOf(environment).ask(...args),
    events: (...args) => clientOf(environment).events(...args),
  };
}
