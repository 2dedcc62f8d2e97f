import { describe, expect, it } from "vitest";
import type { Policy } from "../../contract/index.ts";
import { manifest } from "../../../../tests/support/transfer-manifest.ts";
import { defaultPolicy, transferDecision } from "./index.ts";

describe("transfers", () => {
  const policy = (more: Partial<Policy["externalTransfers"]>, approvals: Policy["approvals"] = "manual"): Policy => ({
    ...defaultPolicy,
    approvals,
    externalTransfers: { ...defaultPolicy.externalTransfers, ...more },
  });

  it.each([
    ["manual asks", policy({}), manifest(), false],
    ["auto_low_risk passes a small one", policy({}, "auto_low_risk"), manifest(), true],
    ["the transfer mode alone passes it", policy({ mode: "auto_low_risk" }), manifest(), true],
    ["a big one asks", policy({}, "autopilot"), manifest({ totalBytes: 300_000 }), false],
    ["a secret risk asks", policy({ mode: "auto_low_risk" }, "autopilot"), manifest({ risk: "secret_risk" }), false],
    [
      "a rule for another provider does not match",
      policy({ rules: [{ provider: "x", decision: "auto_approve" }] }),
      manifest(),
      false,
    ],
    [
      "the first matching rule wins",
      policy({ rules: [{ provider: "openai-api", decision: "manual" }, { decision: "auto_approve" }] }, "autopilot"),
      manifest(),
      false,
    ],
    [
      "a rule passes what it names",
      policy({ rules: [{ purposes: ["repo_context"], maxBytes: 5_000, decision: "auto_approve" }] }),
      manifest(),
      true,
    ],
    [
      "a rule passes no secret risk, even by name",
      policy({ rules: [{ riskClasses: ["secret_risk"], decision: "auto_approve" }] }, "autopilot"),
      manifest({ risk: "secret_risk" }),
      false,
    ],
  ] as const)("[R-65] %s", (_, given, about, passes) => {
    expect(transferDecision(given, about) !== null).toBe(passes);
  });
});
