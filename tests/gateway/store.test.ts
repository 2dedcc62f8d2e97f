import { describe, onTestFinished } from "vitest";
import { openGatewayStore } from "../../src/gateway/store/index.ts";
import { thisProcess } from "../../src/platform/system/index.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { storeSuite } from "./store-suite.ts";

describe("the gateway's store on SQLite", () => {
  storeSuite(async () => {
    const folder = tempFolder("gateway-store-");
    const me = thisProcess();
    const open = (pid: number, startedAt: string) => {
      const store = openGatewayStore(folder, { ...me, pid, startedAt });
      onTestFinished(() => store.close());
      return store;
    };
    return {
      one: open(me.pid, me.startedAt),
      // The same living process under another name.
      two: open(me.pid, "unknown"),
      dead: open(2 ** 30, "long ago"),
    };
  });
});
