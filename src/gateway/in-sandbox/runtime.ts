// The clock and the network of the programs in a sandbox.
import type { CallbackDeps } from "./callback.ts";

export const sandboxDeps: CallbackDeps = {
  env: process.env,
  fetch: (url, init) => fetch(url, init),
  sleep: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
  limit: (ms) => AbortSignal.timeout(ms),
};
