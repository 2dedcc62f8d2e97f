import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type GateKind, type Policy, approvalModes, gateKinds, policy as schema } from "../../contract/index.ts";
import { autoApproval, defaultPolicy } from "../../machine/index.ts";
import { manifest } from "../../../../tests/support/transfer-manifest.ts";
import { type TighterPolicy, overruled, tightenPolicy, userPolicy } from "./index.ts";

describe("the effective policy", () => {
  it("[R-62] is manual where nothing else is configured, and valid by its own schema", () => {
    expect(schema.parse(defaultPolicy)).toEqual(defaultPolicy);
    expect(defaultPolicy.approvals).toBe("manual");
  });

  it("[R-5] takes the user's words over the defaults, and the command's over the user's", () => {
    const policy = userPolicy(
      { approvals: "autopilot", budgets: { maxIterations: 5 } },
      { budgets: { maxTokens: 9 }, disallowedPaths: ["infra/**"] },
    );
    expect(policy).toMatchObject({
      approvals: "autopilot",
      disallowedPaths: ["infra/**"],
      budgets: { maxIterations: 5, maxTokens: 9, maxRevisions: defaultPolicy.budgets.maxRevisions },
    });
  });

  const modes = fc.constantFrom(...approvalModes);
  const paths = fc.array(fc.constantFrom("src/**", "test/**", "infra/**", "docs/**"), { maxLength: 3 });
  const limit = fc.option(fc.integer({ min: 1, max: 100 }), { nil: null });
  const user: fc.Arbitrary<Policy> = fc
    .record({
      approvals: modes,
      tokens: limit,
      iterations: fc.integer({ min: 1, max: 100 }),
      bytes: fc.nat(1_000),
      allowed: paths,
      not: paths,
      guarded: paths,
      edit: fc.boolean(),
      fan: fc.integer({ min: 1, max: 8 }),
    })
    .map(({ approvals, tokens, iterations, bytes, allowed, not, guarded, edit, fan }) =>
      userPolicy({
        approvals,
        budgets: { maxTokens: tokens, maxIterations: iterations },
        externalTransfers: { maxAutoApproveBytes: bytes },
        allowedPaths: allowed,
        disallowedPaths: not,
        protectedPaths: guarded,
        editRequiresApproval: edit,
        fanoutMaxItems: fan,
      }),
    );
  const repo = fc.record(
    {
      approvals: modes,
      budgets: fc.record({ maxTokens: limit, maxIterations: fc.integer({ min: 1, max: 500 }) }, { requiredKeys: [] }),
      maxAutoApproveBytes: fc.nat(10_000),
      allowedPaths: paths,
      disallowedPaths: paths,
      protectedPaths: paths,
      editRequiresApproval: fc.constant(true as const),
      fanoutMaxItems: fc.integer({ min: 1, max: 8 }),
    },
    { requiredKeys: [] },
  );

  it("[R-62] what a repository asked for and did not get is reported, and nothing else", () => {
    const mine = userPolicy({ budgets: { maxIterations: 10, maxTokens: 1_000 }, allowedPaths: ["src/**"] });
    const asked = {
      approvals: "autopilot",
      budgets: { maxIterations: 50, maxTokens: 900, maxMinutes: 5 },
      fanoutMaxItems: 1,
      allowedPaths: ["**"],
      disallowedPaths: ["infra/**"],
    } as const;
    expect(overruled(mine, asked)).toEqual([
      "approvals autopilot: manual holds",
      "allowedPaths **: src/** holds",
      "budgets.maxIterations 50: 10 holds",
    ]);
    expect(overruled(mine)).toEqual([]);
  });

  it("[R-62] a repository can only tighten it", () => {
    const no = (mine: number | null, theirs: number | null) => theirs === null || (mine !== null && mine <= theirs);
    fc.assert(
      fc.property(user, repo, (mine, theirs) => {
        const both = tightenPolicy(mine, theirs as TighterPolicy);
        expect(approvalModes.indexOf(both.approvals)).toBeLessThanOrEqual(approvalModes.indexOf(mine.approvals));
        expect(no(both.budgets.maxTokens, mine.budgets.maxTokens)).toBe(true);
        expect(both.budgets.maxIterations).toBeLessThanOrEqual(mine.budgets.maxIterations);
        expect(both.externalTransfers.maxAutoApproveBytes).toBeLessThanOrEqual(
          mine.externalTransfers.maxAutoApproveBytes,
        );
        expect(both.fanoutMaxItems).toBeLessThanOrEqual(mine.fanoutMaxItems);
        expect(both.disallowedPaths).toEqual(expect.arrayContaining(mine.disallowedPaths));
        expect(both.protectedPaths).toEqual(expect.arrayContaining(mine.protectedPaths));
        expect(both.allowedPaths).toEqual(mine.allowedPaths.length > 0 ? mine.allowedPaths : both.allowedPaths);
        expect(both.editRequiresApproval || !mine.editRequiresApproval).toBe(true);
        expect(both).toMatchObject({
          directEdit: mine.directEdit,
          hostMayApprove: mine.hostMayApprove,
          waivedChecks: mine.waivedChecks,
        });
        for (const kind of gateKinds as readonly GateKind[]) {
          const facts = { manifest: manifest({ totalBytes: 500 }) };
          const passes = (policy: typeof mine) => autoApproval(policy, kind, facts) !== null;
          expect(passes(mine) || !passes(both), kind).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("[R-33] a repository adds checks and cannot replace one of the user's", () => {
    const mine = userPolicy({ checks: [{ id: "unit", kind: "test", argv: ["npm", "test"] }] });
    const both = tightenPolicy(mine, {
      checks: [
        { id: "unit", kind: "test", argv: ["true"] },
        { id: "e2e", kind: "test", argv: ["npm", "run", "e2e"] },
      ],
    });
    expect(both.checks.map(({ id, argv }) => `${id}: ${argv.join(" ")}`)).toEqual([
      "unit: npm test",
      "repo:unit: true",
      "repo:e2e: npm run e2e",
    ]);
  });

  it("[R-33] a check that a repository adds runs no longer than the user lets a check run", () => {
    const mine = userPolicy({ budgets: { checkTimeoutMs: 1_000 } });
    const check = (id: string, timeoutMs?: number) => ({
      id,
      kind: "test" as const,
      argv: ["npm", "test"] as [string, ...string[]],
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    const both = tightenPolicy(mine, { checks: [check("long", 9_000), check("short", 10), check("plain")] });
    expect(both.checks.map(({ timeoutMs }) => timeoutMs)).toEqual([1_000, 10, undefined]);
  });
});

describe("[R-62] a repository's stricter setting", () => {
  const loose: Policy = {
    ...defaultPolicy,
    approvals: "autopilot",
    editRequiresApproval: false,
    dependencyInstallRequiresApproval: false,
    networkRequiresApproval: false,
  };

  it.each([
    ["approvals", { approvals: "manual" }, { approvals: "manual" }],
    ["editRequiresApproval", { editRequiresApproval: true }, { editRequiresApproval: true }],
    [
      "dependencyInstallRequiresApproval",
      { dependencyInstallRequiresApproval: true },
      { dependencyInstallRequiresApproval: true },
    ],
    ["networkRequiresApproval", { networkRequiresApproval: true }, { networkRequiresApproval: true }],
    ["fanoutMaxItems", { fanoutMaxItems: 2 }, { fanoutMaxItems: 2 }],
    ["maxAutoApproveBytes", { maxAutoApproveBytes: 1 }, { externalTransfers: { maxAutoApproveBytes: 1 } }],
    ["budgets", { budgets: { maxIterations: 3 } }, { budgets: { maxIterations: 3 } }],
    ["disallowedPaths", { disallowedPaths: ["x/**"] }, { disallowedPaths: ["x/**"] }],
    ["protectedPaths", { protectedPaths: ["y/**"] }, { protectedPaths: ["y/**"] }],
    ["allowedPaths", { allowedPaths: ["z/**"] }, { allowedPaths: ["z/**"] }],
  ] as const)("of %s is followed", (_, stricter, expected) => {
    expect(tightenPolicy(loose, stricter as TighterPolicy)).toMatchObject(expected);
  });
});
