// Every sink that can stand with others, and the places that differ most; each by itself in canary.crash.ts.
import { crowds } from "./index.ts";
import { canarySuite } from "./suite.ts";

const quick = new Set([
  "a promisor remote and a missing object",
  "odd spelling of the configuration",
  "a submodule's filter",
]);
const chosen = crowds.filter(({ name }) => name.startsWith("every ") || quick.has(name));

canarySuite({ driven: [], armed: [], watched: chosen });
