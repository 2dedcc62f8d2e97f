// The gateway behind its port, loaded with the first use.
import type { GatewayPort } from "../operations/index.ts";
import type { Environment } from "./environment.ts";

export const lateGateway = (environment: () => Environment): GatewayPort => {
  const opened = async () => (await import("./gateway.ts")).gatewayOf(environment());
  return {
    async *serve(options) {
      yield* (await opened()).serve(options);
    },
    async *dev(options) {
      yield* (await opened()).dev(options);
    },
    ask: async (...words) => (await opened()).ask(...words),
    async *events(...words) {
      yield* (await opened()).events(...words);
    },
  };
};
