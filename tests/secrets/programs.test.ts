// A secret typed into every field of text, through every door of the real programs: afterwards it is in no file, no output
// and at no server.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createPorts } from "../../src/app/ports.ts";
import { readEnvironment } from "../../src/app/environment.ts";
import { createHood } from "../../src/surfaces/library/index.ts";
import { crew, models, scene, thehood } from "../cli/endpoints-scene.ts";
import { fixing, openTestDesk, stub, type Desk } from "../cli/program.ts";
import { call, connect, openBench } from "../mcp/client.ts";
import { Bench } from "../oracle/bench.ts";
import { openStage, serve } from "../web/stage.ts";
import { canary, holders } from "./canary.ts";

const said = `use ${canary} please`;
const kept = ({ repo, home }: Desk): string[] => [...holders(repo.dir, canary), ...holders(home, canary)];

const everyView = ["home", "runs", "status", "show", "logs", "report", "diff", "changes", "timeline", "approvals"];

/** The output of every command that shows a run. */
const shown = (desk: Desk): string =>
  everyView
    .flatMap((command) => [[command], [command, "--json"]])
    .map((words) => desk.thehood(words))
    .map(({ out, err }) => out + err)
    .join("\n");

describe("[B-28] [S-2] [S-3] a secret that is typed in", () => {
  it("at the command line, in every field of a run, its gates and its side tasks", () => {
    const desk = openTestDesk();
    const heard: string[] = [];
    const type = (...words: string[]) => {
      const ran = desk.thehood(words);
      heard.push(ran.out, ran.err);
      return ran;
    };
    type("teams", "apply", "stub");
    const words = ["--constraint", said, "--acceptance", said];
    const { runId } = type("run", said, ...words, "--json", ...stub(fixing)).json<{ runId: string }>();
    expect(
      type("summon", runId, "--role", "critic", "--brief", said, "--persona", said, "--constraint", said).code,
    ).not.toBe(2);
    const items = JSON.stringify([{ role: "critic", brief: said, persona: said, constraints: [said] }]);
    expect(type("fanout", runId, "--items", items).code).not.toBe(2);
    expect(type("approve", runId, "--message", said).err).toContain("was replaced");
    const { gate } = type("gate", runId, "--json").json<{ gate: { phrase: string | null } | null }>();
    expect(type("approve", runId, "--message", `${gate?.phrase ?? ""} ${said}`).err).toContain("was replaced");
    expect(type("revise", runId, "--message", said).err).toContain("was replaced");
    for (const argv of [["echo", canary], ["sh", "-c", `echo ${canary}`], [canary]])
      expect(type("exec", runId, "--", ...argv)).toMatchObject({ code: 2 });
    expect(type("abort", runId, "--reason", said).err).toContain("was replaced");
    type("plan", said, "--no-loop", ...stub({}));
    expect(type("run", "x", "--check", `echo ${canary}`).code).toBe(2);
    expect(type("run", "x", "--waive", `echo ${canary}`).code).toBe(2);
    expect(type("run", "x", "--branch", canary).code).toBe(2);
    expect(type("checks", "add", "extra", "--", "echo", canary).code).toBe(2);
    expect(type("config", "set", "providers.codex-cli.program", canary).code).toBe(2);
    expect(type("status", canary).code).toBe(2);
    expect(type("run", "x", `--${canary}`).code).toBe(2);
    expect(type("run", "x", "--implementer", canary).code).toBe(2);
    type("recommend-loop", said, "--constraint", said);
    type("check", "command", `echo ${canary}`);
    expect([heard.join("\n"), shown(desk)].join("\n")).not.toContain(canary);
    expect(kept(desk)).toEqual([]);
    expect(shown(desk)).toContain("use ***REDACTED*** please");
  });

  it("a person who insists has it kept, in a run and in a command", () => {
    const desk = openTestDesk();
    desk.thehood(["teams", "apply", "stub"]);
    const words = ["run", said, "--keep-secrets", "--no-loop", "--json", ...stub(fixing)];
    const { runId } = desk.thehood(words).json<{ runId: string }>();
    expect(desk.thehood(["logs", runId, "--json"]).out).toContain(canary);
    expect(desk.thehood(["exec", runId, "--keep-secrets", "--", "test", canary, "=", canary]).code).toBe(0);
  });

  it("to a model behind an endpoint: it gets the goal without it", async () => {
    const settings = (origin: string) => ({ local: { kind: "openai-compatible", baseUrl: `${origin}/v1`, models } });
    const { server, desk } = await scene(settings);
    const words = ["--approvals", "autopilot", "--constraint", said, "--acceptance", said, ...crew("local")];
    const done = await thehood(desk, ["run", said, ...words]);
    expect(done.code, done.err).toBe(0);
    const sent = JSON.stringify(server.seen);
    expect(sent).toContain("use ***REDACTED*** please");
    expect(sent + done.out + done.err).not.toContain(canary);
    expect(kept(desk)).toEqual([]);
  });

  it("by an MCP client, whose person's answer may hold one too", async () => {
    const bench = openBench();
    bench.configure({
      roles: { orchestrator: "stub:a", planner: "stub:a", implementer: "stub:a", critic: "stub:a", verifier: "stub:b" },
      policy: { hostMayApprove: true },
    });
    const client = await connect(bench, { capabilities: { elicitation: {} } });
    client.setRequestHandler("elicitation/create", () => ({
      action: "accept" as const,
      content: { answer: "approve", message: `${said} invoke` },
    }));
    const told: string[] = [];
    const ask = async (name: string, args: Record<string, unknown>) => {
      const answer = await call(client, name, args);
      told.push(answer.text);
      return answer;
    };
    const texts = { goal: said, constraints: [said] };
    const more = { acceptance_criteria: [said], wait_seconds: 20 };
    const { data } = await ask("orchestrate", { ...texts, ...more });
    const { runId } = data as { runId: string };
    await ask("plan", { ...texts, wait_seconds: 5 });
    await ask("consult", { ...texts, wait_seconds: 5 });
    await ask("summon", {
      run_id: runId,
      role: "critic",
      brief: said,
      persona: said,
      constraints: [said],
      wait_seconds: 5,
    });
    await ask("fanout", { run_id: runId, items: [{ role: "critic", brief: said }], wait_seconds: 5 });
    await ask("recommend_loop", { goal: said, constraints: [said] });
    await ask("repo_search", { query: canary });
    await ask("repo_read_file", { path: canary });
    await ask("status", { run_id: canary });
    await ask("orchestrate", { goal: "x", [canary]: 1 });
    const { gates } = bench
      .thehood(["show", runId, "--json"])
      .json<{ gates: { id: string; subject: { sha256: string } }[] }>();
    const [gate] = gates;
    await ask("approve", { run_id: runId, gate_id: gate?.id ?? "", sha256: gate?.subject.sha256 ?? "" });
    const messages = bench.thehood(["logs", runId, "--json"]).out;
    expect(messages).toContain("use ***REDACTED*** please");
    await ask("abort", { run_id: runId, reason: said });
    await client.close();
    expect([...told, messages, shown(bench)].join("\n")).not.toContain(canary);
    expect(kept(bench)).toEqual([]);
  });

  it("on the page, in a goal, a message and a reason", async () => {
    const stage = openStage();
    const served = await serve(stage);
    const send = async (path: string, body: object, headers: object = {}) => {
      const init = { method: "POST", headers: { "content-type": "application/json", ...headers } };
      const answer = await fetch(`${served.origin}${path}`, { ...init, body: JSON.stringify(body) });
      return answer.text();
    };
    const entered = await send("/api/login", { token: served.link.split("#t=")[1] });
    const { bearer } = JSON.parse(entered) as { bearer: string };
    const act = (operation: string, input: object) =>
      send("/api/do", { operation, input }, { authorization: `Bearer ${bearer}` });
    const told = [await act("run", { goal: said, constraints: [said], acceptanceCriteria: [said] })];
    const [run] = stage.thehood(["runs", "--json"]).json<{ runs: { runId: string }[] }>().runs;
    const runId = run?.runId ?? "";
    told.push(await act("revise", { runId, message: said }), await act("approve", { runId, message: said }));
    told.push(await act("abort", { runId, reason: said }), await act("run", { goal: "x", checks: [`echo ${canary}`] }));
    told.push(await act(canary, {}), await act("report", { runId: canary }));
    await served.kill();
    expect([...told, shown(stage)].join("\n")).not.toContain(canary);
    expect(shown(stage)).toContain("use ***REDACTED*** please");
    expect(kept(stage)).toEqual([]);
  });

  it("by a program that uses the library", async () => {
    const desk = openTestDesk();
    desk.thehood(["teams", "apply", "stub"]);
    const hood = createHood(
      createPorts(() => readEnvironment(desk.env)),
      { repo: desk.repo.dir },
    );
    const begun = await hood.start({ goal: said, constraints: [said], acceptanceCriteria: [said] });
    await hood.call("abort", { runId: begun.runId, reason: said });
    expect(JSON.stringify(await hood.call("show", { runId: begun.runId }))).not.toContain(canary);
    await expect(hood.start({ goal: said, keepSecrets: true })).rejects.toThrow("Only a person decides this");
    expect(kept(desk)).toEqual([]);
  });

  it("to oracle, as prompt, follow-up, slug and file of the prompt", async () => {
    const bench = new Bench();
    try {
      bench.double([{ answer: "no diff" }, { answer: "none" }, { answer: "ok" }, { answer: "ok" }]);
      const heard: string[] = [];
      const ask = async (...words: string[]) => {
        const ran = await bench.run(words);
        heard.push(ran.stdout, ran.stderr);
        return ran;
      };
      await ask("-p", said, "--retry-if-no-diff", "--followup-prompt", said, "--slug", `use ${canary} here`);
      await ask("--render", "-p", said);
      await ask("--dry-run", "full", "-p", said);
      await ask("-p", "x", "--commit-message", said, "--apply-mode", "commit");
      await ask(`--${canary}`);
      expect(bench.sent.length).toBeGreaterThan(0);
      expect(JSON.stringify([bench.sent, heard])).not.toContain(canary);
      expect([...holders(bench.home, canary), ...holders(join(bench.dir, "user"), canary)]).toEqual([]);
    } finally {
      bench.dispose();
    }
  });
});
