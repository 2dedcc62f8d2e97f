// The corpus of requests against the real port: every status, every count of effects, by a gateway of this process.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDev } from "../../src/gateway/process/index.ts";
import { send, type RawAnswer } from "./support/raw.ts";

interface Row {
  readonly id: string;
  readonly title: string;
  readonly crash?: string;
  readonly requests: readonly {
    readonly method: string;
    readonly path: string;
    readonly headers: Record<string, string>;
    readonly raw_headers?: readonly (readonly [string, string])[];
    readonly body?: unknown;
    readonly body_raw?: string;
  }[];
  readonly expect: {
    readonly status: readonly number[];
    readonly side_effects: number;
    readonly same_body?: boolean;
    readonly second_status?: readonly number[];
  };
}

const rows = readFileSync(join(import.meta.dirname, "../corpus/http-gateway.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Row);

let dev: Awaited<ReturnType<typeof openDev>>;
const logged: object[] = [];

beforeAll(async () => {
  dev = await openDev({
    version: "test",
    clock: { now: () => Date.now() },
    log: (entry) => void logged.push(entry),
    port: 0,
    sessions: ["s1=automation", "s2=coding", "s-ended=ended"],
    limits: { bodyMs: 1500 },
  });
});
afterAll(() => dev.close());

function filled(text: string): string {
  const token = dev.output.sessions["s1"]?.token ?? "";
  const flipped = token.slice(0, -1) + (token.endsWith("0") ? "1" : "0");
  return text
    .replaceAll("$PORT", String(dev.port))
    .replaceAll("$SANDBOX_TOKEN~flip_last", flipped)
    .replaceAll("$SANDBOX_TOKEN", token)
    .replaceAll("$TOKEN_OF_s2", dev.output.sessions["s2"]?.token ?? "")
    .replaceAll("$USER_TOKEN", dev.output.adminToken);
}

async function effects(): Promise<number> {
  let count = 0;
  for (const id of ["s1", "s2", "s-ended"]) {
    const answer = await fetch(`${dev.url}/api/sessions/${id}/tool-invocations`, {
      headers: { authorization: `Bearer ${dev.output.adminToken}` },
    });
    const { invocations } = (await answer.json()) as { invocations: { effects: number }[] };
    count += invocations.reduce((sum, one) => sum + one.effects, 0);
  }
  return count;
}

async function play(row: Row): Promise<(RawAnswer | undefined)[]> {
  const answers: (RawAnswer | undefined)[] = [];
  for (const [index, request] of row.requests.entries()) {
    const slow = request.body_raw === "$SLOW";
    const body = slow ? '{"tool_call_id":"slow","args":{}}' : (request.body_raw ?? JSON.stringify(request.body));
    const plain = Object.entries(request.headers).filter(
      ([name]) => !request.raw_headers?.some(([raw]) => raw === name),
    );
    const leaves = /disconnects mid-call/.test(row.title) && index === 0;
    answers.push(
      await send(dev.port, {
        method: request.method,
        path: request.path,
        headers: [...plain, ...(request.raw_headers ?? [])].map(([name, value]) => [name, filled(value)] as const),
        body: filled(body),
        slow,
        ...(leaves ? { hangUpAfterMs: 2 } : {}),
      }),
    );
  }
  return answers;
}

describe("the corpus of requests", () => {
  // Rows with a crash are played by the tests that kill the process.
  it.each(rows.filter(({ crash }) => crash === undefined))(
    "[A-15][A-16][A-17][A-19][A-40][S-14] $id: $title",
    async (row) => {
      const before = await effects();
      const answers = await play(row);
      for (const answer of answers) {
        if (!answer) continue;
        expect(row.expect.status).toContain(answer.status);
        const body = JSON.parse(answer.body) as { error?: string; success?: boolean };
        expect(typeof body.error === "string" || answer.status < 300).toBe(true);
      }
      expect(row.expect.second_status ?? [answers[1]?.status]).toContain(answers[1]?.status);
      expect(answers[1]?.body).toBe(row.expect.same_body ? answers[0]?.body : answers[1]?.body);
      expect((await effects()) - before).toBe(row.expect.side_effects);
    },
  );

  it("[A-32] each callback is logged with tool, call, session, duration and outcome", () => {
    expect(logged).toContainEqual(
      expect.objectContaining({
        toolName: "save_snapshot",
        toolCallId: "i1",
        sessionId: "s1",
        durationMs: expect.any(Number) as number,
        outcome: "succeeded",
      }),
    );
    expect(logged).toContainEqual(expect.objectContaining({ toolCallId: "i1", outcome: "replayed" }));
  });
});
