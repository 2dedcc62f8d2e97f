// Resources, prompts, completion, and the sizes of what is listed.
import { describe, expect, it } from "vitest";
import { fixing, stub } from "../cli/program.ts";
import { call, connect, openBench, type Status } from "./client.ts";

const autopilot = ["--json", "--approvals", "autopilot", ...stub(fixing)];

describe("views over MCP", () => {
  it("[R-80] runs, reports and artifacts are resources, with templates and completion, and nothing else is", async () => {
    const bench = openBench();
    const { runId } = bench.thehood(["run", "Make add() add", ...autopilot]).json<{ runId: string }>();
    const client = await connect(bench);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(["thehood://runs", `thehood://runs/${runId}`]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "thehood://runs/{id}",
      "thehood://runs/{id}/report",
      "thehood://artifacts/{id}/{ref}",
    ]);
    const read = async (uri: string) => {
      const [content] = (await client.readResource({ uri })).contents;
      return content && "text" in content ? content.text : "";
    };
    const status = JSON.parse(await read(`thehood://runs/${runId}`)) as Status;
    expect(status).toMatchObject({ runId, state: "completed" });
    // The same view as the command line's.
    const cli = bench.thehood(["status", runId, "--json"]).json<Record<string, unknown>>();
    // Each surface spells the next steps in its own words; the program adds its envelope and what agents do right now.
    const { ok: _ok, schemaVersion: _version, activities: _now, next: steps, ...view } = cli;
    expect(status).toMatchObject(view);
    expect(status.next.map(({ kind }) => kind)).toEqual((steps as Status["next"]).map(({ kind }) => kind));
    expect(await read(`thehood://runs/${runId}/report`)).toContain("## Claims");
    expect(await read(`thehood://artifacts/${runId}/${status.latest["diff"] ?? ""}`)).toContain("+export const add");
    expect(JSON.parse(await read("thehood://runs"))).toMatchObject({ total: 1 });
    for (const uri of [
      "thehood://runs/run_000000nothing",
      `thehood://runs/${runId}/secrets`,
      "thehood://artifacts/../../etc",
      "thehood://",
    ])
      await expect(client.readResource({ uri })).rejects.toThrow(/not_found|no such resource|invalid_input/);
    const { completion } = await client.complete({
      ref: { type: "ref/resource", uri: "thehood://runs/{id}" },
      argument: { name: "id", value: runId.slice(0, 8) },
    });
    expect(completion.values).toEqual([runId]);
  });

  it("[S-2] an artifact is redacted for a client, also the patch, whose own bytes stay exact; foreign refs are not read", async () => {
    const bench = openBench();
    const token = ["ghp", "_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("");
    const edits = [{ op: "write", path: "src/new.js", text: `export const key = "${token}";\n` }];
    const script = stub({ roles: { implementer: [{ edits, payload: { changedFiles: ["src/new.js"] } }] } });
    const first = bench
      .thehood(["run", "x", "--json", "--approvals", "autopilot", ...script])
      .json<{ runId: string }>();
    const client = await connect(bench);
    const full = await call<{ value: { entries: { ref: string; kind: string }[] } }>(client, "status", {
      run_id: first.runId,
      detail: "full",
      section: "artifacts",
    });
    const refs = full.data.value.entries;
    expect(refs.some(({ kind }) => kind === "diff")).toBe(true);
    let marked = 0;
    for (const { ref } of refs) {
      const read = await call<{ content?: string }>(client, "read_artifact", {
        run_id: first.runId,
        ref,
        max_bytes: 200_000,
      });
      expect(read.text).not.toContain(token);
      if (read.data.content?.includes("***REDACTED***")) marked += 1;
    }
    expect(marked).toBeGreaterThan(0);
    expect(bench.thehood(["diff", first.runId]).out).toContain(token);
    const other = bench.thehood(["plan", "y", "--json"]).json<{ runId: string }>();
    const foreign = await call(client, "read_artifact", {
      run_id: other.runId,
      ref: refs.find(({ kind }) => kind === "diff")?.ref,
    });
    expect(foreign).toMatchObject({ isError: true, data: { error: { code: "not_found" } } });
  });

  it("[S-8] evidence that a host asks for shows no line of a file that git_diff hides", async () => {
    const bench = openBench();
    bench.repo.write(".env", "PASSWORD=old\n");
    bench.repo.write("notes.txt", "old\n");
    bench.repo.git("add", "-f", ".env", "notes.txt");
    bench.repo.git("commit", "-qm", "settings");
    bench.repo.write(".env", ["PASSWORD", "canary-hunter2\n"].join("="));
    bench.repo.write("notes.txt", "to be seen\n");
    const client = await connect(bench);
    const { runId } = (await call<Status>(client, "orchestrate", { goal: "x", wait_seconds: 60 })).data;
    const captured = await call<{ results: { outcome: string }[] }>(client, "capture_evidence", {
      run_id: runId,
      wait_seconds: 60,
    });
    expect(captured.data.results).toMatchObject([{ outcome: "completed" }]);
    const full = { run_id: runId, detail: "full" };
    const { sections } = (await call<{ sections: object }>(client, "status", full)).data;
    const refs = new Set<string>();
    for (const [ref] of JSON.stringify(captured.data).matchAll(/sha256:[0-9a-f]{64}/g)) refs.add(ref);
    for (const section of Object.keys(sections)) {
      const { data } = await call(client, "status", { ...full, section });
      for (const [ref] of JSON.stringify(data).matchAll(/sha256:[0-9a-f]{64}/g)) refs.add(ref);
    }
    expect(refs.size).toBeGreaterThan(1);
    const shown: string[] = [];
    for (const ref of refs) {
      const read = await call(client, "read_artifact", { run_id: runId, ref, max_bytes: 200_000 });
      shown.push(JSON.stringify(read.data));
    }
    expect(shown.join("\n")).toContain("+to be seen");
    expect(shown.join("\n")).not.toContain("canary-hunter2");
    expect(JSON.stringify((await call(client, "git_diff")).data)).not.toContain("canary-hunter2");
  });

  it("prompts for the usual ways of working name real tools, and miss no argument silently", async () => {
    const client = await connect(openBench());
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["plan", "implement", "review", "check_gate", "hand_over"]);
    const known = new Set((await client.listTools()).tools.map(({ name }) => name));
    for (const { name } of prompts) {
      const { messages } = await client.getPrompt({ name, arguments: { goal: "ship it", run_id: "run_x" } });
      const text = JSON.stringify(messages);
      for (const [tool] of text.matchAll(/thehood_[a-z_]+/g)) expect(known).toContain(tool);
      expect(text).not.toContain("thehood_approve");
    }
    await expect(client.getPrompt({ name: "plan", arguments: {} })).rejects.toMatchObject({ code: -32_602 });
  });
});
