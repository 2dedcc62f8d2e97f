// The read-only context of `oracle`: sessions are read, nothing is sent and no browser is started.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ListedSession, SessionView } from "../../core/contract/transport/index.ts";
import type { OracleContext } from "../../operations/oracle/index.ts";
import { isDescendantOfRun } from "../../platform/system/index.ts";
import { browserHome, openBrowser } from "../browser.ts";

const never = async (): Promise<never> => {
  throw new Error("a read-only context starts nothing");
};

const transport = async () => (await import("./transport.ts")).openTransport(openBrowser);

export function readOnlyContext(signal: AbortSignal): OracleContext {
  return {
    program: "oracle",
    actor: { kind: "person", surface: "web" },
    ports: { startedByRun: async () => isDescendantOfRun() },
    transport,
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

/** Without a folder of sessions nothing is loaded. */
export const oracleSessions = async (): Promise<readonly ListedSession[]> =>
  existsSync(join(browserHome(), "sessions")) ? (await transport()).list() : [];

export async function oracleSession(id: string): Promise<{ view: SessionView; answer: string | null }> {
  const sessions = await transport();
  const view = await sessions.view(id);
  return { view, answer: view.result === null ? null : (await sessions.outcome(id)).answer };
}
