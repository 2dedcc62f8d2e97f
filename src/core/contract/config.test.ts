// The bounds of both configuration files.
import { describe, expect, it } from "vitest";
import { policy } from "./run/policy.ts";
import { repoConfig, userConfig } from "./config.ts";
import { defaultPolicy } from "../machine/policy/index.ts";

describe("[R-51] the number of items of a fan-out", () => {
  it.each([
    ["user", userConfig],
    ["repository", repoConfig],
  ])("is at most 8 in the file of the %s", (_, schema) => {
    for (const field of ["fanoutMaxItems", "fanoutParallel"]) {
      expect(schema.safeParse({ policy: { [field]: 8 } }).success).toBe(true);
      for (const value of [9, 0, -1, 1.5]) expect(schema.safeParse({ policy: { [field]: value } }).success).toBe(false);
    }
  });

  it("is at most 8 in the policy of a run, wherever it came from", () => {
    expect(policy.safeParse({ ...defaultPolicy, fanoutMaxItems: 8 }).success).toBe(true);
    expect(policy.safeParse({ ...defaultPolicy, fanoutMaxItems: 9 }).success).toBe(false);
  });
});

describe("[R-62] settings under the names of other files of this kind", () => {
  it("are read as spelled, and mean the same as ours", () => {
    const spelled = userConfig.parse({
      approvalPolicy: { mode: "autopilot" },
      externalTransfers: { mode: "auto_low_risk", maxAutoApproveBytes: 9 },
      defaults: {
        fanoutMaxItems: 3,
        maxIterations: 4,
        networkRequiresApproval: false,
        protectedTestPaths: ["e2e/**"],
      },
    });
    expect(spelled.policy).toEqual({
      approvals: "autopilot",
      externalTransfers: { mode: "auto_low_risk", maxAutoApproveBytes: 9 },
      budgets: { maxIterations: 4 },
      fanoutMaxItems: 3,
      networkRequiresApproval: false,
      protectedPaths: ["e2e/**"],
    });
    expect(spelled).not.toHaveProperty("approvalPolicy");
    expect(userConfig.parse({ externalTransfers: "auto_low_risk" }).policy).toEqual({
      externalTransfers: { mode: "auto_low_risk" },
    });
    expect(userConfig.parse({ approvalPolicy: { externalTransfers: { maxAutoApproveBytes: 1 } } }).policy).toEqual({
      externalTransfers: { maxAutoApproveBytes: 1 },
    });
  });

  it("give way to what policy says of the same setting", () => {
    expect(
      userConfig.parse({
        approvalPolicy: { mode: "autopilot" },
        defaults: { fanoutMaxItems: 8 },
        policy: { approvals: "manual", fanoutMaxItems: 2 },
      }).policy,
    ).toEqual({ approvals: "manual", fanoutMaxItems: 2 });
  });

  it("are bounded and checked like ours, and in a repository they can only tighten", () => {
    for (const bad of [
      { defaults: { fanoutMaxItems: 9 } },
      { approvalPolicy: { mode: "always" } },
      { externalTransfers: { mode: "auto" } },
      { defaults: { unknown: 1 } },
    ])
      for (const schema of [userConfig, repoConfig]) expect(schema.safeParse(bad).success).toBe(false);
    for (const looser of [
      { externalTransfers: { mode: "auto_low_risk" } },
      { defaults: { networkRequiresApproval: false } },
      { externalTransfers: { rules: [{ decision: "auto_approve" }] } },
    ])
      expect(repoConfig.safeParse(looser).success).toBe(false);
    expect(
      repoConfig.parse({ externalTransfers: { maxAutoApproveBytes: 5 }, approvalPolicy: { mode: "manual" } }).policy,
    ).toEqual({ approvals: "manual", maxAutoApproveBytes: 5 });
  });

  it("leave a file without them as it was", () => {
    expect(userConfig.parse({})).toEqual({ version: 1 });
    expect(repoConfig.parse({})).toEqual({ version: 1 });
  });
});
