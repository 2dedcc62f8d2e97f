// A client never approves its own gate: not listed, not possible, and where the user allows it, only by a person's answer.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { fixing, stub } from "../cli/program.ts";
import {
  dataOf,
  hello,
  openBench,
  rawClient,
  stubCrew,
  toolCall,
  type Bench,
  type Raw,
  type Status,
} from "./client.ts";

const elicits = { elicitation: { form: {} } };

async function atGate(raw: Raw, capabilities: object = elicits): Promise<Status> {
  raw.send(hello(capabilities, "hostile"));
  await raw.next(({ id }) => id === "hello");
  raw.send(toolCall("start", "orchestrate", { goal: "Make add() add", wait_seconds: 120 }));
  const status = dataOf<Status>(await raw.next(({ id }) => id === "start"));
  expect(status.gate).toMatchObject({ kind: "implementation_start" });
  return status;
}

const allowed = { roles: stubCrew, policy: { hostMayApprove: true, integrate: "early" } };
const approvals = (bench: Bench, runId: string) =>
  bench
    .thehood(["logs", runId, "--json"])
    .json<{ events: { event: { type: string; approval?: Record<string, unknown> } }[] }>()
    .events.filter(({ event }) => event.type === "approval_recorded")
    .map(({ event }) => event.approval);

function ask(raw: Raw, status: Status, more: object = {}, id = "approve") {
  raw.send(
    toolCall(id, "approve", {
      run_id: status.runId,
      gate_id: status.gate?.id,
      sha256: status.gate?.sha256,
      ...more,
    }),
  );
}

describe("gates over MCP", () => {
  it("[R-81] by default approve and reject are neither listed nor possible, and the remedy is a command for a person", async () => {
    const bench = openBench();
    const raw = rawClient(bench);
    const status = await atGate(raw);
    raw.send({ jsonrpc: "2.0", id: "list", method: "tools/list" });
    const listed = JSON.stringify((await raw.next(({ id }) => id === "list")).result);
    expect(listed).not.toContain("thehood_approve");
    expect(listed).not.toContain("thehood_reject");
    ask(raw, status);
    const refused = await raw.next(({ id }) => id === "approve");
    expect(dataOf(refused).error).toMatchObject({ code: "permission_denied" });
    expect(dataOf(refused).error?.remedy).toContain(`thehood approve ${status.runId} --gate ${status.gate?.id}`);
    expect(approvals(bench, status.runId)).toEqual([]);
    // No elicitation was tried either: no person is asked needlessly.
    expect(raw.messages.filter(({ method }) => method === "elicitation/create")).toEqual([]);
  });

  it("[R-62] neither the repository nor its environment can turn them on", async () => {
    const bench = openBench();
    mkdirSync(join(bench.repo.dir, "evil"), { recursive: true });
    writeFileSync(join(bench.repo.dir, "evil/config.json"), JSON.stringify({ version: 1, ...allowed }));
    for (const env of [
      { THEHOOD_HOME: join(bench.repo.dir, "evil") },
      { THEHOOD_HOME: "", XDG_CONFIG_HOME: bench.repo.dir },
      { THEHOOD_HOME: "", XDG_CONFIG_HOME: "", HOME: bench.repo.dir },
    ]) {
      const raw = rawClient(bench, [], env);
      expect(await raw.exited()).toBe(6);
      expect(raw.stderr()).toContain("is in the served repository");
    }
    const direct = rawClient(bench, [], { THEHOOD_ALLOW_DIRECT_EDIT: "1" });
    const status = await atGate(direct);
    direct.send(toolCall("full", "status", { run_id: status.runId, detail: "full", section: "policy" }));
    expect(dataOf<{ value: object }>(await direct.next(({ id }) => id === "full")).value).toMatchObject({
      directEdit: false,
      hostMayApprove: false,
    });
  });

  it("[R-60] where the user allows it, a person is shown exactly what the gate shows, and their answer counts as the host's", async () => {
    const bench = openBench();
    bench.configure(allowed);
    const raw = rawClient(bench);
    const status = await atGate(raw);
    ask(raw, status);
    const question = await raw.next(({ method }) => method === "elicitation/create");
    const { message, requestedSchema } = question.params as unknown as {
      message: string;
      requestedSchema: { properties: { answer: { enum: string[] } } };
    };
    const gates = bench
      .thehood(["show", status.runId, "--json"])
      .json<{ gates: { subject: { text: string; sha256: string }; answers: string[] }[] }>();
    expect(message).toContain(gates.gates[0]?.subject.text);
    expect(message).toContain(gates.gates[0]?.subject.sha256);
    expect(requestedSchema.properties.answer.enum).toEqual(
      gates.gates[0]?.answers.filter((answer) => answer !== "extend"),
    );
    raw.send({
      jsonrpc: "2.0",
      id: question.id,
      result: { action: "accept", content: { answer: "approve", message: "go on" } },
    });
    const answered = dataOf<Status & { answered: object }>(await raw.next(({ id }) => id === "approve"));
    expect(answered.answered).toEqual({ gate: status.gate?.id, answer: "approve" });
    expect(approvals(bench, status.runId)).toMatchObject([
      {
        gateId: status.gate?.id,
        answer: "approve",
        message: "go on",
        by: { kind: "host", surface: "mcp", name: "hostile" },
      },
    ]);
    // The same approval again, and the same answer to the form again: neither counts.
    raw.send({
      jsonrpc: "2.0",
      id: question.id,
      result: { action: "accept", content: { answer: "approve", message: "" } },
    });
    ask(raw, status, {}, "replay");
    expect(dataOf(await raw.next(({ id }) => id === "replay")).error).toMatchObject({ code: "conflict" });
    expect(approvals(bench, status.runId)).toHaveLength(1);
  });

  it("[B-32] the form of a result begins with the headline, the change and the checks, on less than a screen", async () => {
    const bench = openBench();
    bench.configure({ roles: stubCrew, policy: { hostMayApprove: true } });
    bench.thehood(["run", "Make add() add", "--json", ...stub(fixing)]);
    bench.thehood(["approve", "--message", "yes", "--json"]);
    const raw = rawClient(bench);
    raw.send(hello(elicits, "hostile"));
    await raw.next(({ id }) => id === "hello");
    raw.send(toolCall("look", "status", {}));
    const atResult = dataOf<Status>(await raw.next(({ id }) => id === "look"));
    expect(atResult.gate).toMatchObject({ kind: "isolated_patch_application" });
    ask(raw, atResult, {}, "second");
    const second = await raw.next(({ method }) => method === "elicitation/create");
    const { message } = second.params as unknown as { message: string };
    const [brief = "", rest = ""] = message.split("\n\nEverything that an answer covers:\n\n");
    expect(brief.split("\n").length).toBeLessThanOrEqual(24);
    expect(brief).toMatch(
      /Apply the verified work[^]*1 file \+[^]*\+\+\+ b\/src\/add\.js[^]*npm run test: before[^]*✔ verifier/,
    );
    expect(rest).toContain(atResult.gate?.sha256);
    raw.send({ jsonrpc: "2.0", id: second.id, result: { action: "decline" } });
    expect(dataOf(await raw.next(({ id }) => id === "second")).error).toMatchObject({ code: "approval_required" });
  });

  it("[R-62] a run that was begun before the user allowed it keeps its own policy, and no person is asked needlessly", async () => {
    const bench = openBench();
    const raw = rawClient(bench);
    const status = await atGate(raw);
    bench.configure(allowed);
    raw.send({ jsonrpc: "2.0", id: "list", method: "tools/list" });
    expect(JSON.stringify((await raw.next(({ id }) => id === "list")).result)).toContain("thehood_approve");
    ask(raw, status);
    expect(dataOf(await raw.next(({ id }) => id === "approve")).error?.message).toContain("begun under");
    expect(raw.messages.some(({ method }) => method === "elicitation/create")).toBe(false);
  });

  it("a client without elicitation is refused with the command, and one that never answers can go on with other things", async () => {
    const bench = openBench();
    bench.configure(allowed);
    const silent = rawClient(bench);
    const status = await atGate(silent, {});
    ask(silent, status);
    expect(dataOf(await silent.next(({ id }) => id === "approve")).error).toMatchObject({
      code: "approval_required",
    });

    const slow = rawClient(bench);
    slow.send(hello(elicits));
    await slow.next(({ id }) => id === "hello");
    ask(slow, status);
    await slow.next(({ method }) => method === "elicitation/create");
    slow.send(toolCall("look", "status", { run_id: status.runId }));
    expect(dataOf<Status>(await slow.next(({ id }) => id === "look")).gate).toMatchObject({
      id: status.gate?.id,
    });
    slow.child.stdin.end();
    expect(await slow.exited()).toBe(0);
    expect(approvals(bench, status.runId)).toEqual([]);
  });

  it("[R-61] the phrase must be the person's own words, and rejecting by a person ends the run", async () => {
    const bench = openBench();
    bench.configure(allowed);
    const raw = rawClient(bench);
    const first = await atGate(raw);
    ask(raw, first, { wait_seconds: 120 });
    const start = await raw.next(({ method }) => method === "elicitation/create");
    raw.send({ jsonrpc: "2.0", id: start.id, result: { action: "accept", content: { answer: "approve" } } });
    const patch = dataOf<Status>(await raw.next(({ id }) => id === "approve"));
    expect(patch.gate).toMatchObject({ kind: "isolated_patch_application", phrase: "apply isolated patch" });
    ask(raw, patch, {}, "wordless");
    const form = await raw.next(({ method }) => method === "elicitation/create");
    // The change and what is known of it stand before everything that the answer covers (B-4).
    const { message } = form.params as unknown as { message: string };
    const order = ["⚠ Not measured yet", "checks not run yet", "+++ b/", "gate gate_", "patch sha256: "];
    const places = order.map((one) => message.indexOf(one));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places[0]).toBeGreaterThan(0);
    expect(patch.gate?.preview).toMatch(/^⚠ Not measured yet[^]*\n1 file \+\d+ −\d+ · checks not run yet/);
    raw.send({
      jsonrpc: "2.0",
      id: form.id,
      result: { action: "accept", content: { answer: "approve", message: "sure" } },
    });
    expect(dataOf(await raw.next(({ id }) => id === "wordless")).error?.message).toContain("apply isolated patch");
    raw.send(toolCall("no", "reject", { run_id: patch.runId, gate_id: patch.gate?.id, sha256: patch.gate?.sha256 }));
    const no = await raw.next(({ method }) => method === "elicitation/create");
    raw.send({
      jsonrpc: "2.0",
      id: no.id,
      result: { action: "accept", content: { answer: "reject", message: "not like this" } },
    });
    expect(dataOf<Status>(await raw.next(({ id }) => id === "no"))).toMatchObject({ state: "aborted" });
  });
});

describe("a gate over MCP that many ask about", () => {
  const bench = openBench();
  let status: Status;
  beforeAll(() => {
    bench.configure(allowed);
    const ran = bench.thehood(["run", "Make add() add", "--json", ...stub(fixing)]);
    status = ran.json<Status>();
  });

  async function greeted(): Promise<Raw> {
    const raw = rawClient(bench);
    raw.send(hello(elicits, "hostile"));
    await raw.next(({ id }) => id === "hello");
    return raw;
  }

  it.each([
    ["declined", { action: "decline" }],
    ["cancelled", { action: "cancel" }],
    ["an action that is none", { action: "yes please", content: { answer: "approve" } }],
    ["accepted without an answer", { action: "accept" }],
    ["accepted with an answer that was not offered", { action: "accept", content: { answer: "extend", message: "" } }],
    ["no object at all", "approve"],
  ])("a form that comes back %s leaves the gate as it was", async (_, result) => {
    const raw = await greeted();
    ask(raw, status);
    const question = await raw.next(({ method }) => method === "elicitation/create");
    raw.send({ jsonrpc: "2.0", id: question.id, result });
    const refused = dataOf(await raw.next(({ id }) => id === "approve"));
    expect(refused.error).toMatchObject({ code: "approval_required" });
    expect(refused.error?.remedy).toContain("thehood approve");
    expect(approvals(bench, status.runId)).toEqual([]);
  });

  it.each([
    ["a wrong gate", { gate_id: "gate_000000nothing" }, "gate_id"],
    ["a stale hash", { sha256: "0".repeat(64) }, "sha256"],
    ["a hash that is none", { sha256: "abc" }, "sha256"],
    ["a foreign run", { run_id: "run_000000nothing" }, "no run"],
    ["an answer of its own", { answer: "approve" }, '"answer"'],
  ])("%s is refused before anybody is asked", async (_, more, says) => {
    const raw = await greeted();
    ask(raw, status, more);
    const refused = dataOf(await raw.next(({ id }) => id === "approve"));
    expect(refused.error?.message).toContain(says);
    expect(raw.messages.some(({ method }) => method === "elicitation/create")).toBe(false);
    expect(approvals(bench, status.runId)).toEqual([]);
  });
});
