// Any bytes of a client give a message or an error of the protocol. Never a fault, and every request is answered once.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readMessage, RpcError, type RpcMessage } from "./message.ts";
import { ClientSession, type Service } from "./session.ts";

const service: Service = {
  info: { name: "t", title: "T", version: "1" },
  instructions: "",
  capabilities: {},
  fault: (error) => {
    throw error;
  },
  method: (name) => (name === "tools/list" ? async () => ({ tools: [] }) : undefined),
};

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 5 }),
  fc.constantFrom("__proto__", "constructor", "", 0, -1, 1e308, null),
);
const message = fc.record(
  {
    jsonrpc: fc.oneof(fc.constant("2.0"), odd),
    id: odd,
    method: fc.oneof(fc.constantFrom("initialize", "ping", "tools/list", "notifications/cancelled", "x"), odd),
    params: fc.oneof(
      odd,
      fc.record(
        { _meta: odd, protocolVersion: odd, clientInfo: odd, capabilities: odd, requestId: odd },
        { requiredKeys: [] },
      ),
    ),
    result: odd,
    error: odd,
  },
  { requiredKeys: [] },
);

function read(text: string): RpcMessage | undefined {
  try {
    return readMessage(text);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return undefined;
  }
}

describe("malformed messages", () => {
  it("any text is a message or an error of the protocol", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          message.map((value) => JSON.stringify(value)),
        ),
        (text) => {
          read(text);
        },
      ),
      { numRuns: 20_000 },
    );
  });

  it("every request of any sequence is answered exactly once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 20 }), async (values) => {
        const session = new ClientSession(service);
        const sent: object[] = [];
        let requests = 0;
        for (const value of values) {
          const found = read(JSON.stringify(value));
          if (!found) continue;
          if (found.kind === "request") requests += 1;
          await session.receive(found, (answer) => void sent.push(answer));
        }
        expect(sent).toHaveLength(requests);
      }),
      { numRuns: 3_000 },
    );
  });
});
