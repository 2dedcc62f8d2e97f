// Removes the runs of a repository from its store, and dies before they are signed as gone.
//   node removal-program.ts REPOSITORY STATE RUN
import process from "node:process";
import type { RunEvent } from "../../src/core/contract/index.ts";
import { locateRepository } from "../../src/platform/git/index.ts";
import { openStore, removeRuns } from "../../src/platform/store/index.ts";
import { noteRemoval } from "../../src/runtime/runs/removal/gone.ts";

const [dir = "", evidenceDir = "", runId = ""] = process.argv.slice(2);
const place = locateRepository(dir);
const clock = { now: () => Date.now() };
const store = openStore<RunEvent>(place.stateDir, { clock });
const head = await store.log.head(runId);
await store.close();
const heads = new Map([[runId, head ?? { seq: 0, hash: "" }]]);
noteRemoval(place, { evidenceDir }, { heads, bases: new Set() });
removeRuns(place.stateDir, heads, clock);
process.kill(process.pid, "SIGKILL");
