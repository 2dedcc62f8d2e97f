// `oracle mcp`: the transport as two tools on the standard streams.
import { McpServer, isInputRequiredResult, type CallToolResult } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { FailureError } from "../../../contract/index.ts";
import type { Desk } from "../../../contract/transport/index.ts";
import { consult, consultInput, consultOutput } from "./consult.ts";
import { type RootWorld, rootsOf } from "./roots.ts";
import { sessions, sessionsInput, sessionsOutput } from "./sessions.ts";

export interface McpWorld extends RootWorld {
  readonly version: string;
  readonly deskAt: (cwd: string) => Desk;
  readonly signal: AbortSignal;
  readonly onError: (error: Error) => void;
}

const about = {
  consult:
    "Ask a model, with files of the project attached. Returns the answer, or the session to poll when it takes longer. With diff options a unified diff in the answer is extracted, checked and, if asked for, applied and committed.",
  sessions: "List the sessions of earlier and running consultations, show the result of one, or cancel one.",
} as const;

function answered(value: Record<string, unknown>, text: string): CallToolResult {
  return { content: [{ type: "text", text }], structuredContent: value };
}

/** A failure is the tool's answer; a fault goes up and is the protocol's error. */
async function guarded<T>(work: () => Promise<T>): Promise<T | CallToolResult> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    const { code, message, remedy } = error.failure;
    return {
      isError: true,
      content: [{ type: "text", text: `${code}: ${message}${remedy ? ` ${remedy}` : ""}` }],
    };
  }
}

function build(era: "legacy" | "modern", world: McpWorld): McpServer {
  const server = new McpServer({ name: "oracle", version: world.version }, { capabilities: { tools: {} } });
  server.registerTool(
    "consult",
    {
      title: "Consult a model",
      description: about.consult,
      inputSchema: consultInput,
      outputSchema: consultOutput,
    },
    (input, ctx) =>
      guarded(async () => {
        const roots = await rootsOf(server, era, ctx, world);
        if (isInputRequiredResult(roots)) return roots;
        const signal = AbortSignal.any([world.signal, ctx.mcpReq.signal]);
        const told = await consult(input, { deskAt: world.deskAt, roots: roots as string[], signal });
        const text = told.answer ?? `Session ${told.sessionId} is ${told.status}.`;
        return answered(told, text);
      }),
  );
  server.registerTool(
    "sessions",
    {
      title: "Sessions",
      description: about.sessions,
      inputSchema: sessionsInput,
      outputSchema: sessionsOutput,
    },
    (input) =>
      guarded(async () => {
        const told = await sessions(input, world.deskAt(world.cwd));
        return answered(told, told.sessions.map(({ id, status }) => `${id}: ${status}`).join("\n"));
      }),
  );
  return server;
}

/** Serves until the handle is closed or standard input ends. */
export function serve(world: McpWorld): { close(): Promise<void> } {
  return serveStdio(({ era }) => build(era, world), { onerror: world.onError });
}
