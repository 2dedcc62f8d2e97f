// The sessions of `oracle` on a database that two machines share. `sessions.crash.ts` tries everything else of sessions there.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { openSessionShelf } from "../../src/platform/store/postgres/index.ts";
import { Bench } from "../oracle/bench.ts";
import { waitFor } from "../oracle/wait.ts";
import { postgresForTests } from "./fleet-scene.ts";

const server = postgresForTests();

describe("[B-22] the sessions of two machines", () => {
  const benches: Bench[] = [];
  afterEach(() => {
    for (const bench of benches.splice(0)) bench.dispose();
  });
  const machines = async (): Promise<[Bench, Bench, string]> => {
    const url = await server().database();
    for (const bench of [new Bench(), new Bench()]) {
      bench.env["THEHOOD_DATABASE_URL"] = url;
      bench.double([{ answer: "The answer." }]);
      benches.push(bench);
    }
    return [...(benches as [Bench, Bench]), url];
  };
  const json = async (bench: Bench, ...args: string[]): Promise<unknown> => {
    const ran = await bench.run([...args, "--json"]);
    expect(ran.code, ran.stderr + ran.stdout).toBe(0);
    return JSON.parse(ran.stdout) as unknown;
  };
  const dead = async (pid: number): Promise<void> => {
    process.kill(pid, "SIGKILL");
    await waitFor(() => !existsSync(`/proc/${pid}`) || readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z"));
  };

  it("are listed and shown on both with paths that are true there, share their names, and go from both", async () => {
    const [one, two] = await machines();
    await one.run(["-p", "our shared question"]);
    expect(await json(two, "status")).toMatchObject([{ id: "our-shared-question", status: "success" }]);
    const shown = await two.run(["session", "our-shared-question"]);
    expect(shown.stdout).toBe("The answer.\n");
    const { result } = two.session("our-shared-question");
    expect(result.answerPath).toBe(two.file("our-shared-question", "answer.md"));
    expect(one.session("our-shared-question").result.answerPath).toBe(one.file("our-shared-question", "answer.md"));
    await two.run(["-p", "our shared question"]);
    expect(two.sessionIds).toEqual(["our-shared-question", "our-shared-question-2"]);
    await two.run(["clear", "our-shared-question"]);
    expect(await json(one, "status")).toMatchObject([{ id: "our-shared-question-2" }]);
    expect(one.sessionIds).toEqual(["our-shared-question-2"]);
  });

  it("two machines that take one name at the same moment get two sessions", async () => {
    const [one, two] = await machines();
    const ask = (bench: Bench) => bench.run(["-p", "same words here", "--json", "--force"]);
    const ran = await Promise.all([ask(one), ask(two), ask(one), ask(two)]);
    const ids = ran.map(({ stdout }) => (JSON.parse(stdout) as { sessionId: string }).sessionId);
    expect(new Set(ids).size).toBe(4);
    expect(((await json(two, "status")) as { id: string }[]).map(({ id }) => id).sort()).toEqual([...ids].sort());
  });

  it("a session is followed from the other machine, and a killed one is reported, fetched again and kept there too", async () => {
    const [one, two, url] = await machines();
    one.double([{ answer: "from afar", until: one.gate }]);
    const started = await one.ended(one.start(["-p", "our slow question", "--no-wait"]));
    const id = started.stdout.trim();
    await waitFor(() => one.sent.length > 0, "the send");
    const attached = two.start(["attach", id]);
    attached.stderr?.on("data", (chunk: Buffer) => {
      if (chunk.includes("waiting")) one.open();
    });
    const followed = await two.ended(attached);
    expect(followed, followed.stderr).toMatchObject({ code: 0, stdout: "from afar\n" });

    one.double([{ hang: true }]);
    const again = (await one.ended(one.start(["-p", "our lost question", "--no-wait"]))).stdout.trim();
    await waitFor(() => one.sent.length > 0, "the send");
    const open = await json(two, "session", again);
    expect(open).toMatchObject({ session: { status: "running" } });
    await dead((open as { session: { process: { pid: number } } }).session.process.pid);
    // Another machine cannot ask whether the process lives: the silence on the database's clock tells.
    expect(await json(two, "status")).toMatchObject([{ id: again, status: "running" }, { id }]);
    await server().query("UPDATE thehood.oracle_sessions SET beat_at = now() - interval '2 minutes'", url);
    expect(await json(two, "status")).toMatchObject([{ id: again, status: "error" }, { id }]);
    two.double([{ answer: "second time" }]);
    expect(await two.run(["restart", again])).toMatchObject({ code: 0, stdout: "second time\n" });
    expect(await json(one, "status")).toMatchObject([
      { id: `${again}-2`, status: "success" },
      { id: again, status: "error" },
      { id, status: "success" },
    ]);
  });

  it("an answer outlives a database that is away: the session stays here and is sent by the next look", async () => {
    const [one, two, url] = await machines();
    one.double([{ answer: "paid for", until: one.gate }]);
    const running = one.run(["-p", "our dear question"]);
    await waitFor(() => one.sent.length > 0, "the send");
    const name = new URL(url).pathname.slice(1);
    await server().query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await server().query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
    one.open();
    const ran = await running;
    expect(ran.stdout).toBe("paid for\n");
    expect(ran.stderr).toContain("the next `oracle status` here sends it");
    await server().query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    expect(await json(two, "session", "our-dear-question")).toMatchObject({ session: { status: "running" } });
    await one.run(["status"]);
    expect((await two.run(["session", "our-dear-question"])).stdout).toBe("paid for\n");
  });

  it("nothing is sent when the database is away before, and the folder of a stranger's file name is never left", async () => {
    const [one, two, url] = await machines();
    const ran = await one.run(["-p", "never sent anywhere"], {
      env: { THEHOOD_DATABASE_URL: `${server().url.replace("postgres@", "postgres:hidden@")}_none` },
    });
    expect([ran.code === 0, one.sent.length]).toEqual([false, 0]);
    expect(ran.stderr).toContain("has no such database");
    expect(ran.stderr).not.toContain("hidden");
    await one.run(["-p", "our plain question"]);
    const shelf = await openSessionShelf({ url, team: undefined });
    const evil = new Map([["../../../evil.txt", Buffer.from("x")]]);
    await shelf.save("our-plain-question", { files: evil, gone: [], expected: undefined });
    writeFileSync(`${two.dir}/keep`, "");
    expect((await two.run(["session", "our-plain-question"])).code).toBe(0);
    expect(existsSync(`${two.dir}/evil.txt`)).toBe(false);
    await shelf.remove("our-plain-question");
  });
});
