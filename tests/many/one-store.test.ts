// The real program on a shared store: a run is made on one machine and seen, decided and verified on another.
import { describe, expect, it } from "vitest";
import { fixing, openTestDesk, stub, type Desk } from "../cli/program.ts";
import { dataOf, hello, rawClient, toolCall } from "../mcp/client.ts";
import { serve } from "../web/stage.ts";
import { postgresForTests } from "./fleet-scene.ts";

const server = postgresForTests();

/** A desk whose repository was cloned from this address, with a home of its own: another machine. */
function machine(url: string, origin: string): Desk & { ask(...args: string[]): ReturnType<Desk["thehood"]> } {
  const desk = openTestDesk();
  desk.repo.git("remote", "add", "origin", origin);
  const env = { THEHOOD_DATABASE_URL: url };
  return { ...desk, ask: (...args) => desk.thehood(args, { env }) };
}

describe("[B-22] the same program on the shared store", () => {
  it("runs to a verified end; another clone sees the run, a repository of another address does not", async () => {
    const url = await server().database();
    const here = machine(url, "git@example.com:team/app.git");
    const run = here.ask("run", "Fix add", "--team", "stub", "--approvals", "autopilot", ...stub(fixing), "--json");
    expect(run.err + run.out).toContain("completed");
    expect(run.code).toBe(0);
    const { runId } = run.json<{ runId: string }>();

    const there = machine(url, "https://me:word@example.com/team/app");
    const listed = there.ask("runs", "--json").json<{ runs: { runId: string; state: string }[] }>();
    expect(listed.runs).toMatchObject([{ runId, state: "completed" }]);
    expect(there.ask("report", runId).out).toContain("npm run test");
    const verified = there.ask("log", "verify");
    expect(verified.code, verified.out + verified.err).toBe(0);

    // The doors of the other clone: MCP, the page's server, and the log as it is watched.
    const env = { ...there.env, THEHOOD_DATABASE_URL: url };
    const raw = rawClient(there, [], { THEHOOD_DATABASE_URL: url });
    raw.send(hello());
    await raw.next(({ id }) => id === "hello");
    raw.send(toolCall(1, "status", { run_id: runId }));
    expect(dataOf(await raw.next(({ id }) => id === 1))).toMatchObject({ state: "completed" });
    const served = await serve({ ...there, env });
    const post = (path: string, body: object, headers = {}) =>
      fetch(`${served.origin}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      });
    const login = await post("/api/login", { token: served.link.split("#t=")[1] });
    const { bearer } = (await login.json()) as { bearer: string };
    const home = await post("/api/do", { operation: "home" }, { authorization: `Bearer ${bearer}` });
    expect(await home.text()).toContain(runId);
    await served.kill();
    expect(there.ask("watch", runId, "--json").out).toContain("run_completed");

    const other = machine(url, "https://example.com/team/other");
    expect(other.ask("runs", "--json").json<{ runs: unknown[] }>().runs).toEqual([]);
    expect(other.ask("status", runId).code).toBe(2);
  });

  it("says what is wrong with an address, and starts nothing", () => {
    const here = machine(["postgres://me", "hidden@127.0.0.1:1/none"].join(":"), "https://example.com/a/b");
    const asked = here.thehood(["runs", "--json"], {
      env: { THEHOOD_DATABASE_URL: ["mysql://me", "hidden@127.0.0.1/none"].join(":") },
    });
    expect(asked.code).toBe(2);
    expect(asked.out + asked.err).toContain("postgres://user:password@host:5432/database");
    expect(asked.out + asked.err).not.toContain("hidden");
    const doctor = here.ask("doctor", "--json");
    expect(doctor.out + doctor.err).not.toContain("hidden");
    const checks = doctor.json<{ checks: { name: string; state: string; detail: string }[] }>().checks;
    expect(checks.find(({ name }) => name === "store")).toMatchObject({
      state: "blocker",
      detail: expect.stringContaining("cannot be reached"),
    });
  });
});
