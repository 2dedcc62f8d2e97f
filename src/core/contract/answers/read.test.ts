import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ContractName,
  ackField,
  contractNames,
  contractOfRole,
  makeAck,
  makeResponseJsonSchema,
  readResponse,
  responseContracts,
  responseJsonSchema,
  responseLimits,
} from "./index.ts";

const ack = makeAck("run_000000000001", "nonce0001");
const minimal: Record<ContractName, Record<string, unknown>> = {
  orchestrator_decision: { action: "delegate", reason: "small step" },
  planner_decision: { action: "complete", reason: "planned" },
  research_result: { summary: "found" },
  implementation_result: { status: "changed" },
  qa_result: { verdict: "pass", summary: "fine" },
  verification_result: { verdict: "approve", summary: "fine" },
  critique_result: { verdict: "acceptable" },
  citation_result: { verdict: "supported", summary: "fine" },
  reconciliation_result: { status: "complete" },
  blind_tests_result: { summary: "written", tests: [] },
};

function answer(name: ContractName, payload: object = {}, envelope: object = {}): string {
  const { key } = responseContracts[name];
  const data = { [key]: { ...minimal[name], [ackField]: ack.marker, ...payload } };
  return JSON.stringify({ status: "ok", summary: "done", data, ...envelope });
}

const refusal = (read: ReturnType<typeof readResponse>) => (read.ok ? undefined : read.refusal);

describe("reading an answer", () => {
  it.each(contractNames)("[R-6] the smallest valid %s is accepted", (name) => {
    const read = readResponse(name, answer(name), ack);
    expect(read).toMatchObject({ ok: true, response: { contract: name, status: "ok", summary: "done" } });
  });

  it("[R-6] every role but the runtime's integrator has a contract", () => {
    expect(Object.keys(contractOfRole).sort()).toEqual(
      ["citation", "critic", "implementer", "orchestrator", "planner", "qa", "researcher", "verifier"].sort(),
    );
  });

  it.each(contractNames)("[R-22] %s takes long text as markdown and nothing unknown", (name) => {
    expect(readResponse(name, answer(name, { markdown: "# long" }), ack).ok).toBe(true);
    const extra = refusal(readResponse(name, answer(name, { autopilot: true }), ack));
    expect(extra?.reason).toBe("schema");
    expect(extra?.errors[0]?.field).toBe(`data.${responseContracts[name].key}.autopilot`);
  });

  it("[R-21] an answer without the marker is refused", () => {
    const read = readResponse("qa_result", answer("qa_result", { [ackField]: undefined }), ack);
    expect(refusal(read)?.reason).toBe("ack_missing");
  });

  it("[R-21] an answer to an earlier directive of the run is stale, one of another run is foreign", () => {
    const old = makeAck(ack.runId, "nonce0000").marker;
    const other = makeAck("run_000000000002", "nonce0001").marker;
    const read = (marker: string) => readResponse("qa_result", answer("qa_result", { [ackField]: marker }), ack);
    expect(refusal(read(old))?.reason).toBe("ack_stale");
    expect(refusal(read(other))?.reason).toBe("ack_foreign");
    expect(refusal(read(`${ack.marker} `))?.reason).toBe("ack_stale");
  });

  it("[R-21] a refusal names the field that is wrong", () => {
    const read = readResponse("verification_result", answer("verification_result", { verdict: "yes" }), ack);
    expect(refusal(read)?.errors.map((error) => error.field)).toEqual(["data.verificationResult.verdict"]);
    expect(refusal(read)?.message).toContain("data.verificationResult.verdict");
  });

  it("[R-24] a worker that failed inside an ok envelope has failed", () => {
    const status = (payload: string, envelope = "ok") => {
      const read = readResponse(
        "implementation_result",
        answer("implementation_result", { status: payload }, { status: envelope }),
        ack,
      );
      return read.ok ? read.response.status : "refused";
    };
    expect(status("failed")).toBe("failed");
    expect(status("blocked")).toBe("blocked");
    expect(status("changed", "failed")).toBe("failed");
    expect(status("failed", "blocked")).toBe("failed");
    expect(status("no_change")).toBe("ok");
  });

  it("[R-24] a blocked answer needs no verdict but still the marker", () => {
    const data = { verificationResult: { [ackField]: ack.marker } };
    const text = JSON.stringify({ status: "blocked", summary: "cannot see the diff", data });
    expect(readResponse("verification_result", text, ack)).toMatchObject({
      ok: true,
      response: { status: "blocked" },
    });
    const ok = JSON.stringify({ status: "ok", summary: "x", data });
    expect(refusal(readResponse("verification_result", ok, ack))?.reason).toBe("schema");
  });

  it("an answer in a fence, on the last line or inside prose is found", () => {
    const text = answer("qa_result");
    const pretty = JSON.stringify(JSON.parse(text), null, 2);
    for (const wrapped of [
      "```json\n" + pretty + "\n```\nThat is all.",
      `working {on it}\n${text}\n`,
      `Here: ${pretty} done`,
    ])
      expect(readResponse("qa_result", wrapped, ack).ok).toBe(true);
  });

  it("of two answers in one text the last one counts", () => {
    const first = answer("qa_result", { verdict: "pass" });
    const last = answer("qa_result", { verdict: "needs_revision" });
    const read = readResponse("qa_result", `${first}\n${last}`, ack);
    expect(read).toMatchObject({ ok: true, response: { payload: { verdict: "needs_revision" } } });
  });

  it("oversize, empty and non-JSON answers are refused", () => {
    expect(refusal(readResponse("qa_result", "x".repeat(responseLimits.rawBytes + 1), ack))?.reason).toBe("oversize");
    expect(refusal(readResponse("qa_result", "", ack))?.reason).toBe("not_json");
    expect(refusal(readResponse("qa_result", "I approve.", ack))?.reason).toBe("not_json");
    expect(refusal(readResponse("qa_result", "[1]", ack))?.reason).toBe("not_json");
    const long = answer("qa_result", { summary: "x".repeat(responseLimits.line + 1) });
    expect(refusal(readResponse("qa_result", long, ack))?.reason).toBe("schema");
  });

  it("whatever text comes, reading ends with a response or a refusal", () => {
    const noise = fc.array(fc.constantFrom("{", "}", '"', "\\", "```", "\n", "status", ":", "[", ",", "ok", "é"));
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          noise.map((parts) => parts.join("")),
        ),
        (text) => {
          expect(readResponse("qa_result", text, ack).ok).toBe(false);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("a hostile megabyte of braces and quotes is refused quickly", () => {
    const text = `{"a":`.repeat(150_000) + "}".repeat(100);
    expect(readResponse("qa_result", text, ack).ok).toBe(false);
  });

  it("[R-20] the contract can be stated as JSON Schema", () => {
    for (const name of contractNames) {
      expect(responseJsonSchema(name), "schemas.json is stale; run: node scripts/schemas.mjs").toEqual(
        makeResponseJsonSchema(name),
      );
      const schema = responseJsonSchema(name) as { properties: { data: { required: string[] } } };
      expect(schema.properties.data.required).toEqual([responseContracts[name].key]);
    }
  });
});
