// Opens a gateway: its store, keys, sandboxes and server. Other machines reach it only with --allow-remote (S-14).
import { fail, type Clock } from "../../core/contract/index.ts";
import { isLoopback } from "../../platform/http/index.ts";
import type { Keychain } from "../../platform/keychain/index.ts";
import { thisProcess } from "../../platform/system/index.ts";
import type { SandboxProvider } from "../sandboxes/index.ts";
import { listenGateway, type GatewayServer } from "../http/server.ts";
import { type ModelEndpoints } from "../http/models.ts";
import {
  createAuthenticate,
  createTokens,
  createVault,
  Gateway,
  usualLimits,
  type GatewayLimits,
} from "../service/index.ts";
import { openGatewayStore, type GatewayStore } from "../store/index.ts";
import { readIntegrations } from "./integrations.ts";
import { storedKeys } from "./stored-keys.ts";

export interface GatewayOptions {
  readonly folder: string;
  readonly host: string;
  readonly port: number;
  /** The user allowed other machines to reach it. */
  readonly remote: boolean;
  /** A function, because a sandbox reaches the server that is opened after it. */
  readonly sandboxes: (accept: GatewayServer["accept"]) => SandboxProvider;
  readonly endpoints: ModelEndpoints;
  readonly toolCode: () => string;
  /** The program `proliferate` of a sandbox; without it there is none. */
  readonly actionsCode?: () => string;
  readonly version: string;
  readonly clock: Clock;
  readonly log: (entry: Readonly<Record<string, unknown>>) => void;
  /** Further host names under which sandboxes reach it. */
  readonly names?: readonly string[];
  readonly openRuns?: boolean;
  /** The keychain of this machine. */
  readonly keychain?: Keychain | undefined;
  readonly limits?: Partial<GatewayLimits>;
  /** Opens another store than the SQLite file in the folder; resolves to undefined if none is configured. */
  readonly openStore?: (() => Promise<GatewayStore | undefined>) | undefined;
  /** Wraps the store; tests stop the process at its steps. */
  readonly store?: (store: GatewayStore) => GatewayStore;
}

export interface OpenGateway {
  readonly url: string;
  readonly port: number;
  readonly adminToken: string;
  /** Where the key of the vault and the token are, as messages say it. */
  readonly keysAre: string;
  readonly gateway: Gateway;
  close(): Promise<void>;
}

export async function openGateway(options: GatewayOptions): Promise<OpenGateway> {
  const { folder, host, clock, remote } = options;
  if (!isLoopback(host) && !remote)
    fail("permission_denied", `${host} is not loopback: other machines could reach the gateway.`, {
      remedy: "Use 127.0.0.1, or allow it with --allow-remote.",
    });
  const { keys, adminToken, where } = await storedKeys(folder, options.keychain);
  const vault = createVault(keys);
  const tokens = createTokens(vault.derive("tokens"));
  const opened = (await options.openStore?.()) ?? openGatewayStore(folder, thisProcess());
  const store = options.store?.(opened) ?? opened;
  let accept: GatewayServer["accept"] = (socket) => void socket.destroy();
  const gateway = new Gateway({
    store,
    sandboxes: options.sandboxes((socket) => accept(socket)),
    vault,
    tokens,
    clock,
    toolCode: options.toolCode,
    actionsCode: options.actionsCode ?? (() => ""),
    integrations: () => readIntegrations(folder),
    log: options.log,
    openRuns: options.openRuns ?? false,
    limits: { ...usualLimits, ...options.limits },
  });
  const authenticate = createAuthenticate(adminToken, tokens, clock);
  const names = [...(isLoopback(host) ? [] : [host]), ...(options.names ?? [])];
  const server = await listenGateway({ ...options, gateway, authenticate, names }).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  accept = server.accept;
  await gateway.start();
  return {
    url: server.url,
    port: server.port,
    adminToken,
    keysAre: where,
    gateway,
    async close() {
      await server.close();
      await gateway.close();
    },
  };
}
