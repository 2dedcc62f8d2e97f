// Servers whose store is on a disk that is full for a while: they read, refuse by name, and go on when there is space.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canMount, fill, smallDisk } from "../crash/disks.ts";
import { call, connect, openBench, type Bench } from "../mcp/client.ts";
import { fixing, serve } from "../web/stage.ts";

interface Scene extends Disposable {
  readonly bench: Bench;
  readonly runId: string;
  fill(): void;
  free(): void;
}

/** A repository whose records are on a small disk, with a run that waits at its first gate. */
function onSmallDisk(): Scene {
  const bench = openBench();
  const folder = join(bench.repo.dir, ".git", "thehood");
  mkdirSync(folder, { recursive: true });
  const disk = smallDisk(folder, "24m");
  const words = ["run", "Make add() add", "--stub-script", JSON.stringify(fixing), "--json"];
  const { runId } = bench.thehood(words).json<{ runId: string }>();
  return {
    bench,
    runId,
    fill: () => fill(folder),
    free: () => rmSync(join(folder, "fill")),
    [Symbol.dispose]: () => disk[Symbol.dispose](),
  };
}

describe.skipIf(!canMount)("[B-30] a disk that is full for a while ends no server (needs root and mount)", () => {
  it("thehood web: what is stored is shown, a start is refused in words, and the same start works afterwards", async () => {
    using scene = onSmallDisk();
    const served = await serve(scene.bench);
    const post = async (path: string, body: object, bearer = "") => {
      const headers = { "content-type": "application/json", authorization: `Bearer ${bearer}` };
      const answer = await fetch(`${served.origin}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      return { status: answer.status, text: await answer.text() };
    };
    const login = await post("/api/login", { token: new URL(served.link).hash.slice(3) });
    const { bearer } = JSON.parse(login.text) as { bearer: string };
    const repo = scene.bench.repo.dir;
    const live = await fetch(`${served.origin}/api/live?repo=${encodeURIComponent(repo)}&run=${scene.runId}`, {
      headers: { authorization: `Bearer ${bearer}` },
    });
    const reader = live.body?.getReader();
    await reader?.read();
    scene.fill();
    const shown = await post("/api/do", { operation: "gate", input: { runId: scene.runId } }, bearer);
    expect(shown).toMatchObject({ status: 200, text: expect.stringContaining("Make add() add") as string });
    const start = () => post("/api/do", { operation: "run", input: { goal: "another" } }, bearer);
    expect(await start()).toMatchObject({ status: 507, text: expect.stringContaining("store_full") as string });
    scene.free();
    expect(await start()).toMatchObject({ status: 200 });
    await reader?.cancel();
    expect(served.child.exitCode).toBeNull();
  });

  it("thehood mcp: the same by its tools", async () => {
    using scene = onSmallDisk();
    const client = await connect(scene.bench);
    scene.fill();
    expect((await call(client, "status", { run_id: scene.runId })).data).toMatchObject({ state: "awaiting_approval" });
    const start = () => call(client, "orchestrate", { goal: "another" });
    expect(await start()).toMatchObject({ isError: true, data: { error: { code: "store_full" } } });
    scene.free();
    expect(await start()).toMatchObject({ isError: false });
  });

  it("thehood status, runs and log verify read", () => {
    using scene = onSmallDisk();
    scene.fill();
    const read = (...words: string[]) => scene.bench.thehood([...words, "--json"]);
    expect(read("status", scene.runId).json()).toMatchObject({ state: "awaiting_approval" });
    expect(read("runs").json()).toMatchObject({ total: 1 });
    const verified = read("log", "verify");
    expect(verified.code, verified.err).toBe(0);
    expect(verified.json()).toMatchObject({ problems: [] });
  });
});
