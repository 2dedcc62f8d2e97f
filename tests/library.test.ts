// The programming interface of the built package, as a program uses it.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { FailureError } from "../src/core/contract/index.ts";
import { createPorts } from "../src/app/ports.ts";
import { readEnvironment } from "../src/app/environment.ts";
import { createHood } from "../src/surfaces/library/index.ts";
import { fixing, openTestDesk } from "./cli/program.ts";
import { stubCrew } from "./mcp/client.ts";

const example = resolve(import.meta.dirname, "../examples/drive-a-run.mjs");

function scene(policy: object = {}) {
  const desk = openTestDesk();
  mkdirSync(join(desk.home, "config"), { recursive: true });
  writeFileSync(join(desk.home, "config/config.json"), JSON.stringify({ version: 1, roles: stubCrew, policy }));
  return { ...desk, ports: createPorts(() => readEnvironment(desk.env)) };
}

const codeOf = async (promise: Promise<unknown>): Promise<string> => {
  const error: unknown = await promise.catch((caught: unknown) => caught);
  return error instanceof FailureError ? error.failure.code : "none";
};

describe("[B-24] the programming interface", () => {
  it("the example runs against the built package, and stops at the gate that needs a person", () => {
    const { repo, env } = scene();
    const ran = spawnSync(process.execPath, [example, repo.dir, "Make add() add"], { env, encoding: "utf8" });
    expect(ran.stderr).toBe("");
    expect(ran.status).toBe(0);
    expect(ran.stdout).toMatch(/^\d+ agent_asked$/m);
    expect(ran.stdout).toMatch(/run_\w+ approval_required: awaiting_approval/);
    expect(ran.stdout).toContain("A person decides: ");
    expect(ran.stdout).toContain("1 runs in this repository");
  });

  it("[R-81] a program only tightens, decides nothing alone, and its input is parsed", async () => {
    const { repo, ports } = scene();
    const hood = createHood(ports, { repo: repo.dir });
    const goal = "Make add() add";
    expect(await codeOf(hood.start({ goal, noChecks: true }))).toBe("permission_denied");
    expect(await codeOf(hood.call("policy set", { mode: "autopilot" }))).toBe("permission_denied");
    expect(await codeOf(hood.start({ goal, maxIterations: 0 }))).toBe("invalid_input");
    const begun = await hood.start({ goal, approvals: "autopilot" });
    const { view } = await hood.call("show", { runId: begun.runId });
    expect(view.policy.approvals).toBe("manual");
    const gate = view.gates[0];
    const request = { runId: begun.runId, gate: gate?.id ?? "", sha256: gate?.subject.sha256 ?? "" };
    expect(await codeOf(hood.decide("approve", request))).toBe("permission_denied");
    expect((await hood.read(begun.runId)).status.state).toBe("awaiting_approval");
  });

  it("where the user allows it a person's answer is carried, and the events can be followed", async () => {
    const { repo, ports } = scene({ hostMayApprove: true });
    const asked: string[] = [];
    const person = {
      ask: async ({ title, phrase }: { title: string; phrase: string | null }) => {
        asked.push(title);
        return { kind: "answered" as const, answer: "approve", message: phrase ?? "" };
      },
    };
    const hood = createHood(ports, { repo: repo.dir, name: "tester", person });
    const { runId } = await hood.start({ goal: "Make add() add", stubScript: fixing });
    const gates = (await hood.call("show", { runId })).view.gates;
    const request = { runId, gate: gates[0]?.id ?? "", sha256: gates[0]?.subject.sha256 ?? "" };
    await hood.decide("approve", request);
    expect(asked).toHaveLength(1);
    const types: string[] = [];
    for await (const { stored, now } of await hood.follow(runId)) {
      if (stored) types.push(stored.event.type);
      if (now) break;
    }
    expect(types[0]).toBe("run_created");
    expect(types).toContain("approval_recorded");
  });
});
