import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  FailureError,
  type Actor,
  type Configs,
  type Policy,
  type RepoConfig,
  type UserConfig,
  approvalModes,
  doubtKinds,
  policy as policySchema,
  policyInput,
  repoConfig,
  repoPolicyInput,
  userConfig,
} from "../../contract/index.ts";
import { defaultPolicy } from "../../machine/policy/index.ts";
import { type PolicyOverrides, loosened, runPolicy, effectivePolicy, userPolicy } from "./index.ts";

const person: Actor = { kind: "person", surface: "cli" };
const host: Actor = { kind: "host", surface: "mcp", name: "some agent" };
const none: PolicyOverrides = {
  allowedPaths: [],
  disallowedPaths: [],
  checks: [],
  noChecks: false,
  waive: [],
  productPaths: [],
};
const configs = (user: UserConfig["policy"] = {}, repo: RepoConfig["policy"] = {}): Configs => ({
  user: { version: 1 as const, policy: user },
  repo: { version: 1 as const, policy: repo },
});
const asked = (by: Actor, options: Partial<PolicyOverrides>, from = configs(), allowDirectEdit = true): Policy =>
  runPolicy({ options: { ...none, ...options }, by, configs: from, allowDirectEdit });
const refused = (make: () => unknown): string => {
  try {
    make();
  } catch (error) {
    if (error instanceof FailureError) return error.failure.code;
    throw error;
  }
  throw new Error("it was not refused");
};

describe("the policy of a run", () => {
  it("[R-5] a person's flags go over the person's configuration, in both directions", () => {
    const policy = asked(
      person,
      { approvals: "autopilot", maxIterations: 50, checks: ["make test"], waive: ["npm test"] },
      configs({ approvals: "manual", budgets: { maxIterations: 5 } }),
    );
    expect(policy).toMatchObject({
      approvals: "autopilot",
      budgets: { maxIterations: 50 },
      checks: [{ id: "flag:1", argv: ["bash", "-c", "make test"] }],
      discoverChecks: false,
      waivedChecks: ["npm test"],
      directEdit: true,
    });
    expect(asked(person, { noChecks: true }).waivedChecks).toEqual(["validation"]);
  });

  it.each<[string, Partial<PolicyOverrides>, string]>([
    ["names the checks", { checks: ["true"] }, "permission_denied"],
    ["drops the checks", { noChecks: true }, "permission_denied"],
    ["waives a check", { waive: ["npm test"] }, "permission_denied"],
    ["declares product files", { productPaths: ["src/fixtures/**"] }, "permission_denied"],
    ["replaces the allowed paths", { allowedPaths: ["**"] }, "invalid_input"],
  ])("[R-62] a program that %s is refused", (_, options, code) => {
    expect(refused(() => asked(host, options, configs({ allowedPaths: ["src/**"] })))).toBe(code);
  });

  it.each<[string, Partial<PolicyOverrides>, object]>([
    ["asks for looser approvals", { approvals: "autopilot" }, { approvals: "auto_low_risk" }],
    ["asks for stricter approvals", { approvals: "manual" }, { approvals: "manual" }],
    ["asks for more rounds", { maxIterations: 900 }, { budgets: { maxIterations: 12 } }],
    ["asks for fewer rounds", { maxIterations: 2 }, { budgets: { maxIterations: 2 } }],
    ["sets a limit where there was none", { maxTokens: 7 }, { budgets: { maxTokens: 7 } }],
    ["narrows the paths", { allowedPaths: ["src/**"] }, { allowedPaths: ["src/**"] }],
    ["asks for nothing, with direct edits in the environment", {}, { directEdit: false }],
  ])("[R-62] a program that %s", (_, options, expected) => {
    expect(asked(host, options, configs({ approvals: "auto_low_risk" }))).toMatchObject(expected);
  });

  it("[R-62] a repository that adds more than a policy can hold is refused, and nothing is cut off", () => {
    const paths = (name: string) => Array.from({ length: 600 }, (_, index) => `${name}/${index}`);
    const full = configs({ disallowedPaths: paths("a") }, { disallowedPaths: paths("b") });
    expect(refused(() => effectivePolicy(full))).toBe("invalid_config");
  });
});

const limit = fc.option(fc.integer({ min: 1, max: 50 }), { nil: null });
const globs = fc.array(fc.constantFrom("src/**", "test/**", "infra/**", "**"), { maxLength: 3 });
const checks = fc.uniqueArray(
  fc.record(
    {
      id: fc.constantFrom("unit", "e2e", "lint", "repo:unit"),
      kind: fc.constant("test" as const),
      argv: fc.constantFrom<[string]>(["true"], ["false"]),
      timeoutMs: fc.integer({ min: 1, max: 100 }),
    },
    { requiredKeys: ["id", "kind", "argv"] },
  ),
  { selector: ({ id }) => id, maxLength: 3 },
);
const budgets = fc.record(
  {
    maxIterations: fc.integer({ min: 1, max: 1_000 }),
    maxTokens: limit,
    maxMinutes: limit,
    maxSchemaFailures: fc.integer({ min: 1, max: 20 }),
    maxRevisions: fc.integer({ min: 0, max: 100 }),
    callTimeoutMs: fc.integer({ min: 1, max: 100 }),
    checkTimeoutMs: fc.integer({ min: 1, max: 100 }),
  },
  { requiredKeys: [] },
);
const fanout = fc.integer({ min: 1, max: 8 });
const mode = fc.constantFrom(...approvalModes);
const userSide = fc.record(
  {
    approvals: mode,
    externalTransfers: fc.record(
      {
        mode: fc.constantFrom("manual", "auto_low_risk"),
        maxAutoApproveBytes: fc.nat(1_000),
        rules: fc.array(fc.record({ decision: fc.constantFrom("manual", "auto_approve") }), { maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
    budgets,
    allowedPaths: globs,
    disallowedPaths: globs,
    protectedPaths: globs,
    checks,
    discoverChecks: fc.boolean(),
    sabotage: fc.constantFrom("on" as const, "off" as const),
    blindTests: fc.constantFrom("on" as const, "off" as const),
    doubts: fc.record(
      { ask: fc.subarray([...doubtKinds]), accept: fc.subarray([...doubtKinds]) },
      { requiredKeys: [] },
    ),
    editRequiresApproval: fc.boolean(),
    dependencyInstallRequiresApproval: fc.boolean(),
    networkRequiresApproval: fc.boolean(),
    hostMayApprove: fc.boolean(),
    autopilotMayPush: fc.boolean(),
    fanoutMaxItems: fanout,
    fanoutParallel: fanout,
    githubConnectorConfirmed: fc.boolean(),
    memory: fc.constantFrom("refs", "packets"),
    integrate: fc.constantFrom("early" as const, "late" as const),
  },
  { requiredKeys: [] },
);
const yes = fc.constant(true as const);
const repoSide = fc.record(
  {
    approvals: mode,
    budgets,
    maxAutoApproveBytes: fc.nat(10_000),
    allowedPaths: globs,
    disallowedPaths: globs,
    protectedPaths: globs,
    checks,
    editRequiresApproval: yes,
    dependencyInstallRequiresApproval: yes,
    networkRequiresApproval: yes,
    fanoutMaxItems: fanout,
    fanoutParallel: fanout,
  },
  { requiredKeys: [] },
);
const lines = fc.array(fc.constantFrom("true", "npm test", "validation"), { maxLength: 2 });
const requestedOptions = fc.record(
  {
    approvals: mode,
    maxIterations: fc.integer({ min: 1, max: 1_000 }),
    maxTokens: fc.integer({ min: 1, max: 1_000 }),
    maxMinutes: fc.integer({ min: 1, max: 1_000 }),
    allowedPaths: globs,
    disallowedPaths: globs,
    checks: lines,
    noChecks: fc.boolean(),
    waive: lines,
    productPaths: lines,
  },
  { requiredKeys: ["allowedPaths", "disallowedPaths", "checks", "noChecks", "waive", "productPaths"] },
);

describe("a request of others", () => {
  // Both sides are what the two files can really hold: every field that a schema knows is generated here.
  const bothFiles = fc.tuple(userSide, repoSide).map(([user, repo]) => ({
    user: userConfig.parse({ policy: user }),
    repo: repoConfig.parse({ policy: repo }),
  }));

  it("[R-62] the generated files reach every field that a person and a repository can set", () => {
    const reach = (side: fc.Arbitrary<object>) => new Set(fc.sample(side, 500).flatMap((value) => Object.keys(value)));
    expect(reach(userSide)).toEqual(new Set(Object.keys(policyInput.shape)));
    expect(reach(repoSide)).toEqual(new Set(Object.keys(repoPolicyInput.shape)));
  });

  it("[R-62] of a repository never loosens any field of the user's policy, for all requests of a person", () => {
    fc.assert(
      fc.property(bothFiles, requestedOptions, fc.boolean(), (files, options, direct) => {
        const alone = { ...files, repo: { version: 1 as const } };
        const mine = asked(person, options, alone, direct);
        const got = asked(person, options, files, direct);
        expect(loosened(mine, got)).toEqual([]);
        expect(policySchema.parse(got)).toEqual(got);
      }),
      { numRuns: 500 },
    );
  });

  it("[R-62] of a program never loosens any field of the user's policy, for all requests", () => {
    fc.assert(
      fc.property(bothFiles, requestedOptions, fc.boolean(), (files, options, direct) => {
        const mine = userPolicy(files.user.policy);
        let got: Policy;
        try {
          got = asked(host, options, files, direct);
        } catch (error) {
          // A refusal loosens nothing.
          if (error instanceof FailureError) return;
          throw error;
        }
        expect(loosened(mine, got)).toEqual([]);
        expect(got).toMatchObject({
          waivedChecks: mine.waivedChecks,
          directEdit: false,
          hostMayApprove: mine.hostMayApprove,
          discoverChecks: mine.discoverChecks,
        });
        expect(policySchema.parse(got)).toEqual(got);
      }),
      { numRuns: 500 },
    );
  });
});

describe("the order of policies", () => {
  const base: Policy = {
    ...defaultPolicy,
    budgets: { ...defaultPolicy.budgets, maxTokens: 10 },
    allowedPaths: ["src/**"],
    disallowedPaths: ["infra/**"],
    protectedPaths: ["ci/**"],
    checks: [{ id: "unit", kind: "test", argv: ["npm", "test"] }],
    discoverChecks: true,
    editRequiresApproval: true,
    dependencyInstallRequiresApproval: true,
    networkRequiresApproval: true,
    directEdit: false,
    hostMayApprove: false,
    fanoutMaxItems: 2,
    fanoutParallel: 1,
    githubConnectorConfirmed: false,
  };

  it.each<[keyof Policy, Partial<Policy>]>([
    ["approvals", { approvals: "autopilot" }],
    ["externalTransfers", { externalTransfers: { ...base.externalTransfers, mode: "auto_low_risk" } }],
    ["externalTransfers", { externalTransfers: { ...base.externalTransfers, maxAutoApproveBytes: 1e9 } }],
    ["externalTransfers", { externalTransfers: { ...base.externalTransfers, rules: [{ decision: "auto_approve" }] } }],
    ["budgets", { budgets: { ...base.budgets, maxTokens: null } }],
    ["budgets", { budgets: { ...base.budgets, maxIterations: 999 } }],
    ["allowedPaths", { allowedPaths: [] }],
    ["allowedPaths", { allowedPaths: ["src/**", "**"] }],
    ["disallowedPaths", { disallowedPaths: [] }],
    ["protectedPaths", { protectedPaths: ["other/**"] }],
    ["checks", { checks: [] }],
    ["checks", { checks: [{ id: "unit", kind: "test", argv: ["true"] }] }],
    ["checks", { checks: [...base.checks, { id: "unit", kind: "test", argv: ["true"] }] }],
    ["discoverChecks", { discoverChecks: false }],
    ["sabotage", { sabotage: "off" }],
    ["doubts", { doubts: { ask: [], accept: [] } }],
    ["doubts", { doubts: { ask: [...doubtKinds], accept: ["unreached"] } }],
    ["waivedChecks", { waivedChecks: ["validation"] }],
    ["productPaths", { productPaths: ["src/fixtures/**"] }],
    ["editRequiresApproval", { editRequiresApproval: false }],
    ["dependencyInstallRequiresApproval", { dependencyInstallRequiresApproval: false }],
    ["networkRequiresApproval", { networkRequiresApproval: false }],
    ["directEdit", { directEdit: true }],
    ["hostMayApprove", { hostMayApprove: true }],
    ["fanoutMaxItems", { fanoutMaxItems: 3 }],
    ["fanoutParallel", { fanoutParallel: 2 }],
    ["githubConnectorConfirmed", { githubConnectorConfirmed: true }],
    ["memory", { memory: "packets" }],
  ])("%s can be seen to be looser", (field, change) => {
    expect(loosened(base, { ...base, ...change })).toEqual([field]);
    expect(loosened(base, base)).toEqual([]);
  });
});
