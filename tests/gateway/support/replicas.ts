// Gateway processes of their own, packed into one quick file each time the tests are run.
import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { packProgram } from "../../crash/harness/index.ts";

export interface Replica {
  readonly url: string;
  readonly adminToken: string;
  readonly tokens: Readonly<Record<string, string>>;
  readonly child: ChildProcess;
  /** Resolves with the signal or code by which it ended. */
  readonly ended: Promise<string | number | null>;
}

let packed: Promise<string> | undefined;

export async function startReplica(folder: string, sessions: readonly string[], die = ""): Promise<Replica> {
  packed ??= packProgram(join(import.meta.dirname, "replica.ts"));
  const words = [await packed, "--folder", folder, ...sessions.flatMap((one) => ["--sessions", one])];
  const child = spawn(process.execPath, [...words, ...(die === "" ? [] : ["--die", die])], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<string | number | null>((resolve) => {
    child.once("exit", (code, signal) => resolve(signal ?? code));
  });
  const line = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
      if (text.includes("\n")) resolve(text);
    });
    void ended.then((how) => reject(new Error(`the gateway ended: ${how}`)));
  });
  return { ...(JSON.parse(line) as Pick<Replica, "url" | "adminToken" | "tokens">), child, ended };
}

export async function endReplica({ child, ended }: Replica): Promise<void> {
  child.kill("SIGKILL");
  await ended;
}

/** Status and body of one callback; undefined when the connection was lost. */
export async function callTool(
  { url, tokens }: Replica,
  sessionId: string,
  tool: string,
  callId: string,
  args: object,
): Promise<{ readonly status: number; readonly body: string } | undefined> {
  try {
    const answer = await fetch(`${url}/proliferate/${sessionId}/tools/${tool}`, {
      method: "POST",
      headers: { authorization: `Bearer ${tokens[sessionId]}`, "content-type": "application/json" },
      body: JSON.stringify({ tool_call_id: callId, args }),
    });
    return { status: answer.status, body: await answer.text() };
  } catch {
    return undefined;
  }
}

export interface Invocation {
  readonly tool: string;
  readonly callId: string;
  readonly outcome: string;
  readonly effects: number;
  readonly attempts: number;
}

export async function ledgerOf({ url, adminToken }: Replica, sessionId: string): Promise<Invocation[]> {
  const answer = await fetch(`${url}/api/sessions/${sessionId}/tool-invocations`, {
    headers: { authorization: `Bearer ${adminToken}` },
  });
  return ((await answer.json()) as { invocations: Invocation[] }).invocations;
}
