// The context of `oracle` for eyes only: sessions are read; nothing is sent and no browser is started.
import type { OracleContext } from "../../operations/oracle/index.ts";
import { openBrowser } from "../browser.ts";
import { openTransport } from "./transport.ts";

const never = async (): Promise<never> => {
  throw new Error("a looker starts nothing");
};

export function lookingOnly(signal: AbortSignal): OracleContext {
  return {
    transport: async () => openTransport(openBrowser),
    browser: never,
    copy: never,
    stdin: async () => null,
    say: () => undefined,
    warn: () => undefined,
    signal,
    inline: false,
    runSession: never,
    serveMcp: never,
  };
}
