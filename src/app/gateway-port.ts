// The gateway behind its port, loaded with the first use.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { GatewayPort } from "../operations/index.ts";
import type { Environment } from "./environment.ts";

const mayRun = ({ stateDir, variables }: Environment): boolean =>
  Boolean(variables["THEHOOD_GATEWAY_URL"]) || existsSync(join(stateDir, "gateway", "running.json"));

export const lateGateway = (environment: () => Environment): GatewayPort => {
  const opened = async () => (await import("./gateway.ts")).gatewayOf(environment());
  return {
    async *serve(options) {
      yield* (await opened()).serve(options);
    },
    async *dev(options) {
      yield* (await opened()).dev(options);
    },
    // Lists are asked often and at once: without a gateway nothing more is loaded for it.
    sessions: async () => (mayRun(environment()) ? (await opened()).sessions() : []),
    ask: async (...words) => (await opened()).ask(...words),
    async *events(...words) {
      yield* (await opened()).events(...words);
    },
  };
};
