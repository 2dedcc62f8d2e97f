// A gateway with local sandboxes and an agent that is played, in this process, for one test.
import { join } from "node:path";
import process from "node:process";
import { onTestFinished } from "vitest";
import { localSandboxes } from "../../../src/gateway/sandboxes/local/provider.ts";
import {
  actionsCode,
  initProgram,
  openGateway,
  type GatewayOptions,
  type OpenGateway,
} from "../../../src/gateway/process/index.ts";
import type { SessionEvent } from "../../../src/gateway/store/index.ts";
import { tempFolder } from "../../support/temp-folder.ts";

export const playedAgent = join(import.meta.dirname, "agent.cjs");

export interface Scene extends OpenGateway {
  readonly folder: string;
  readonly logged: object[];
  ask(method: string, path: string, body?: unknown, token?: string): Promise<{ status: number; body: Answer }>;
  /** Waits for the first event after `after` that the test wants. */
  event(sessionId: string, wanted: (event: SessionEvent) => boolean, after?: number): Promise<SessionEvent>;
  /** Runs a shell line in the sandbox of a session. */
  shell(sessionId: string, line: string): Promise<string>;
}
// oxlint-disable-next-line typescript/no-explicit-any -- answers are looked at field by field
export type Answer = any;

export async function openScene(more: Partial<GatewayOptions> & { readonly agent?: string } = {}): Promise<Scene> {
  const folder = more.folder ?? tempFolder("gateway-");
  const logged: object[] = [];
  const path = process.env["PATH"] ?? "";
  const opened = await openGateway({
    folder,
    host: "127.0.0.1",
    port: 0,
    remote: false,
    sandboxes: (accept) =>
      localSandboxes({
        folder,
        path,
        init: initProgram(),
        node: process.execPath,
        opencode: more.agent ?? playedAgent,
        accept,
        hosts: [],
      }),
    endpoints: { anthropic: undefined, litellm: undefined },
    toolCode: () => "export const gatewayTool = (definition) => definition;\n",
    actionsCode,
    version: "test",
    clock: { now: () => Date.now() },
    log: (entry) => void logged.push(entry),
    ...more,
    limits: { readinessMs: 120_000, ...more.limits },
  });
  const { gateway } = opened;
  onTestFinished(async () => {
    for (const { id, status } of await gateway.deps.store.sessions())
      if (status !== "stopped" && status !== "pending") await gateway.sessions.stop(id);
    await opened.close();
  });
  return {
    ...opened,
    folder,
    logged,
    async ask(method, route, body, token = opened.adminToken) {
      const answer = await fetch(`${opened.url}${route}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, body: text.startsWith("{") ? (JSON.parse(text) as Answer) : text };
    },
    event: (sessionId, wanted, after = 0) =>
      new Promise((resolve) => {
        const end = gateway.events.follow(sessionId, after, (event) => {
          if (!wanted(event)) return;
          setImmediate(() => end());
          resolve(event);
        });
      }),
    async shell(sessionId, line) {
      const sandbox = await gateway.sessions.sandbox(await gateway.sessions.find(sessionId));
      const { code, stdout, stderr } = await sandbox.exec(["sh", "-c", line], {
        cwd: "/home/user/workspace",
      });
      return code === 0 ? stdout.toString("utf8") : `exit ${code}: ${stderr}`;
    },
  };
}
