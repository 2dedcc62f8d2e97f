import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  ackField,
  contractNames,
  makeAck,
  readResponse,
  responseContracts,
  strictResponseSchema,
  strictSchema,
} from "./index.ts";

type Node = Record<string, unknown>;

function* nodes(value: unknown): Generator<Node> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Node;
  for (const child of Object.values(value)) yield* nodes(child);
}

describe("the strict dialect", () => {
  it.each(contractNames)("of %s requires every field, allows no other, and uses no word a server refuses", (name) => {
    let objects = 0;
    for (const node of nodes(strictResponseSchema(name))) {
      const isObject = typeof node["properties"] === "object" && node["type"] === "object";
      const { required, additionalProperties } = node;
      const closed = { required: Object.keys(node["properties"] ?? {}), additionalProperties: false };
      expect(isObject ? { required, additionalProperties } : closed).toEqual(closed);
      objects += isObject ? 1 : 0;
      const words = ["minLength", "maxLength", "maxItems", "pattern", "oneOf", "$schema", "default"];
      expect(typeof node["type"] === "string" ? words.filter((word) => word in node) : []).toEqual([]);
    }
    expect(objects).toBeGreaterThan(0);
  });

  it("makes an optional field one that may be null", () => {
    const schema = z.toJSONSchema(z.strictObject({ a: z.string(), b: z.string().max(3).optional() }));
    expect(strictSchema(schema)).toEqual({
      type: "object",
      properties: { a: { type: "string" }, b: { anyOf: [{ type: "string" }, { type: "null" }] } },
      required: ["a", "b"],
      additionalProperties: false,
    });
    expect(strictSchema(schema, "absent")).toMatchObject({
      properties: { b: { type: "string" } },
      required: ["a"],
      additionalProperties: false,
    });
  });

  it("[R-21] an answer with null for what it leaves out is read like one that leaves it out", () => {
    const ack = makeAck("run_000001", "nonce0001");
    const payload = {
      [ackField]: ack.marker,
      verdict: "approve",
      summary: "fine",
      markdown: null,
      risks: null,
      evidence: [],
    };
    const envelope = {
      status: "ok",
      summary: "s",
      data: { [responseContracts.verification_result.key]: payload },
    };
    const read = readResponse("verification_result", JSON.stringify(envelope), ack);
    expect(read).toMatchObject({ ok: true, response: { payload: { verdict: "approve" } } });
    const without = { ...envelope, data: { verificationResult: { ...payload, verdict: null } } };
    expect(readResponse("verification_result", JSON.stringify(without), ack)).toMatchObject({
      ok: false,
      refusal: { reason: "schema" },
    });
  });

  it("does not run out of stack over an answer that is deeper than any contract", () => {
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    const ack = makeAck("run_000001", "nonce0001");
    const payload = `{"${ackField}":"${ack.marker}","verdict":"pass","summary":"s","missedCases":${deep}}`;
    const text = `{"status":"ok","summary":"s","data":{"qaResult":${payload}}}`;
    expect(readResponse("qa_result", text, ack)).toMatchObject({ ok: false, refusal: { reason: "schema" } });
  });
});
