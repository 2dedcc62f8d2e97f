// The bounds and the scope of transfer rules: one byte more, another model or another purpose is another question.
import { describe, expect, it } from "vitest";
import type { Policy, TransferManifest, TransferRule } from "../../contract/index.ts";
import { manifest } from "../../../../tests/support/transfer-manifest.ts";
import { autoApproval } from "../gate/auto.ts";
import { defaultPolicy, mustBeAsked } from "./index.ts";

const mayRead = (bytes: number) => ({ mayRead: { calls: 10, bytes } }) as Partial<TransferManifest>;

function policy(rules: TransferRule[], maxAutoApproveBytes = 5_000, approvals: Policy["approvals"] = "manual"): Policy {
  return {
    ...defaultPolicy,
    approvals,
    externalTransfers: { ...defaultPolicy.externalTransfers, maxAutoApproveBytes, rules },
  };
}

const passes = (given: Policy, about: TransferManifest): boolean =>
  autoApproval(given, "repo_context_external_transfer", { manifest: about }) !== null;

describe("the bytes that pass without a question", () => {
  const upTo = policy([], 5_000, "autopilot");
  it.each([
    [4_999, true],
    [5_000, true],
    [5_001, false],
  ])("[R-62] with a bound of 5,000 bytes, %i bytes pass: %s", (totalBytes, expected) => {
    expect(passes(upTo, manifest({ totalBytes }))).toBe(expected);
  });

  it("[R-65] what the destination may read later counts as if it were sent", () => {
    expect(passes(upTo, manifest({ totalBytes: 1_000, ...mayRead(4_000) }))).toBe(true);
    expect(passes(upTo, manifest({ totalBytes: 1_000, ...mayRead(4_001) }))).toBe(false);
    const rule = policy([{ maxBytes: 5_000, decision: "auto_approve" }], 0);
    expect(passes(rule, manifest({ totalBytes: 1_000, ...mayRead(4_000) }))).toBe(true);
    expect(passes(rule, manifest({ totalBytes: 1_000, ...mayRead(4_001) }))).toBe(false);
  });
});

describe("[R-62] a transfer rule", () => {
  const scoped: TransferRule = {
    provider: "openai-api",
    model: "big",
    purposes: ["repo_context"],
    riskClasses: ["repo_context"],
    maxBytes: 2_000,
    decision: "auto_approve",
  };
  const others: [string, Partial<TransferManifest>][] = [
    ["another provider", { destination: { provider: "anthropic-api", model: "big" } }],
    ["another model", { destination: { provider: "openai-api", model: "small" } }],
    ["another purpose", { purpose: "progress_packet" }],
    ["another risk", { risk: "private_runtime_memory" }],
    ["one byte more", { totalBytes: 2_001 }],
  ];

  it("passes exactly what it names", () => {
    expect(passes(policy([scoped]), manifest({ totalBytes: 2_000 }))).toBe(true);
  });

  it.each(others)("says nothing about %s", (_, other) => {
    expect(passes(policy([scoped]), manifest(other))).toBe(false);
  });

  it.each(others)("that wants a person does not want one for %s", (_, other) => {
    const asking = policy([{ ...scoped, decision: "manual" }], 500_000, "autopilot");
    expect(mustBeAsked(asking, manifest())).toBe(true);
    expect(passes(asking, manifest())).toBe(false);
    expect(mustBeAsked(asking, manifest(other))).toBe(false);
    expect(passes(asking, manifest(other))).toBe(true);
  });

  it("that allows never passes a secret risk", () => {
    expect(passes(policy([{ decision: "auto_approve" }]), manifest({ risk: "secret_risk" }))).toBe(false);
  });
});
