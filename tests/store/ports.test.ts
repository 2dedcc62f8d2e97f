// The embedded store keeps the contract of the ports, also when every answer takes its time.
import { openStore } from "../../src/platform/store/index.ts";
import { slowStore } from "../support/slow-store.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { storePortsSuite } from "./ports-suite.ts";

storePortsSuite("the embedded store", (clock) => {
  const folder = tempFolder("ports-");
  return Promise.resolve({ open: () => Promise.resolve(openStore(folder, { clock })) });
});

storePortsSuite("a slow store", (clock) => {
  const folder = tempFolder("ports-");
  return Promise.resolve({ open: () => Promise.resolve(slowStore(openStore(folder, { clock }))) });
});
