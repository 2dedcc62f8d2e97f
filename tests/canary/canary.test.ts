// Every sink that can stand with others, and the places that differ most; each by itself in canary.crash.ts.
import { crowds } from "./index.ts";
import { canarySuite } from "./suite.ts";

const quick = new Set([
  "a promisor remote and a missing object",
  "include.path into the tree, twice removed",
  "odd spelling of the configuration",
  "core.worktree elsewhere",
  "a submodule's filter",
  "a bare repository among the files",
  ".git is a file that leads into the tree",
]);
const chosen = crowds.filter(({ name }) => name.startsWith("every ") || quick.has(name));

canarySuite({ driven: chosen.slice(0, 4), armed: [], watched: chosen });
