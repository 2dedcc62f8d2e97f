// Wires the gateway: its folder, the endpoints and keys of models, and the programs of this machine.
import { join } from "node:path";
import process from "node:process";
import { gatewayClient } from "../gateway/client/index.ts";
import { endpointsOf, openDev, serveGateway } from "../gateway/serve/index.ts";
import type { GatewayPort } from "../operations/index.ts";
import { clock } from "../system/index.ts";
import type { Environment } from "./environment.ts";
import { version } from "./version.ts";

const log = (entry: object): void =>
  void process.stderr.write(`${JSON.stringify({ at: clock.now(), ...entry })}\n`);

export function gatewayOf({ stateDir, variables }: Environment): GatewayPort {
  const folder = join(stateDir, "gateway");
  const client = () =>
    gatewayClient({
      folder,
      url: variables["THEHOOD_GATEWAY_URL"],
      token: variables["THEHOOD_GATEWAY_TOKEN"],
    });
  return {
    serve: (options) =>
      serveGateway({
        ...options,
        folder,
        version,
        clock,
        log,
        path: variables["PATH"] ?? "",
        endpoints: endpointsOf(options, variables),
      }),
    async *dev({ port, sessions, signal }) {
      const dev = await openDev({ port, sessions, version, clock, log });
      yield dev.told;
      await dev.until(signal);
    },
    ask: (...words) => client().ask(...words),
    events: (...words) => client().events(...words),
  };
}
