// The HTTP API of `opencode serve` inside a sandbox, as of OpenCode 1.18.33.
import { request, type IncomingMessage, type RequestOptions } from "node:http";
import { request as secureRequest } from "node:https";
import { z } from "zod";
import { fail } from "../../core/contract/index.ts";
import { EventTooLong, serverEvents } from "../../platform/http/index.ts";
import { timers } from "../../platform/system/index.ts";
import type { PortAddress } from "../sandboxes/index.ts";
import { probeDelays } from "../rules/index.ts";

const tryMs = 5_000;
const statuses = z.record(z.string(), z.object({ type: z.string() }));
const mostBytes = 32 << 20;

interface Prompt {
  readonly text: string;
  readonly system: string;
  /** `provider/model`. */
  readonly model: string;
}

export interface SandboxAgent {
  /** Returns the time it took; fails when the agent is not ready in time. */
  ready(budgetMs: number, signal?: AbortSignal): Promise<number>;
  toolIds(): Promise<string[]>;
  newSession(title: string): Promise<string>;
  prompt(session: string, prompt: Prompt): Promise<void>;
  abort(session: string): Promise<void>;
  /** The messages of a session so far, with their parts. */
  messages(session: string): Promise<unknown>;
  /** Whether no turn of the session goes on. */
  idle(session: string): Promise<boolean>;
  /** Every event until the connection ends or the signal fires. */
  events(onEvent: (event: unknown) => void, signal: AbortSignal): Promise<void>;
}

export function agentAt(reach: PortAddress, password: string): SandboxAgent {
  const door = { reach, password };
  const ask = async (method: string, path: string, body?: object, timeoutMs = 30_000): Promise<unknown> => {
    const response = await open(door, method, path, body, AbortSignal.timeout(timeoutMs));
    const text = await whole(response);
    const status = response.statusCode ?? 0;
    if (status >= 300) fail("provider_unavailable", `The agent answered ${path} with ${status}: ${text.slice(0, 300)}`);
    return text === "" ? undefined : (JSON.parse(text) as unknown);
  };
  return {
    ready: (budgetMs, signal) => ready(() => ask("GET", "/session", undefined, tryMs), budgetMs, signal),
    toolIds: async () => (await ask("GET", "/experimental/tool/ids")) as string[],
    newSession: async (title) => ((await ask("POST", "/session", { title })) as { id: string }).id,
    async prompt(session, { text, system, model }) {
      const [providerID = "", ...rest] = model.split("/");
      const chosen = { providerID, modelID: rest.join("/") };
      const body = { parts: [{ type: "text", text }], system, model: chosen };
      await ask("POST", `/session/${session}/prompt_async`, body);
    },
    abort: async (session) => void (await ask("POST", `/session/${session}/abort`)),
    messages: (session) => ask("GET", `/session/${session}/message`),
    async idle(session) {
      // Only sessions with a turn are listed.
      const { [session]: status } = statuses.parse(await ask("GET", "/session/status"));
      return status === undefined || status.type === "idle";
    },
    async events(onEvent, signal) {
      const response = await open(door, "GET", "/event", undefined, signal);
      try {
        for await (const { data } of serverEvents(response, mostBytes)) onEvent(JSON.parse(data));
      } catch (error) {
        if (!(error instanceof EventTooLong)) throw error;
        fail("provider_unavailable", `The agent sent an event of more than ${mostBytes >> 20} MiB.`);
      }
    },
  };
}

async function ready(probe: () => Promise<unknown>, budgetMs: number, signal?: AbortSignal): Promise<number> {
  const began = Date.now();
  let why = "it was not probed";
  for (const delay of [0, ...probeDelays(budgetMs)]) {
    await timers.sleep(delay, signal);
    if (signal?.aborted || Date.now() - began > budgetMs) break;
    try {
      await probe();
      return Date.now() - began;
    } catch (error) {
      why = error instanceof Error ? error.message : String(error);
    }
  }
  return fail("provider_unavailable", `The agent was not ready after ${budgetMs} ms: ${why}`);
}

interface Door {
  readonly reach: PortAddress;
  readonly password: string;
}

function open(
  { reach, password }: Door,
  method: string,
  path: string,
  body: object | undefined,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const authorization = `Basic ${Buffer.from(`opencode:${password}`).toString("base64")}`;
    const json = { "content-type": "application/json", authorization };
    const options: RequestOptions = { method, path, signal };
    const sent =
      "url" in reach
        ? (reach.url.startsWith("https:") ? secureRequest : request)(
            `${reach.url}${path}`,
            { ...options, headers: { ...json, ...reach.headers } },
            resolve,
          )
        : request({ ...reach, ...options, headers: { ...json, host: "127.0.0.1:4096" } }, resolve);
    sent.once("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function whole(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) fail("provider_unavailable", "The agent's answer is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
