// A database that is away for 40 seconds, longer than any one request waits: the worker, the page's server and the MCP server
// stay, refuse in words, and go on when it is back.
import { expect, it } from "vitest";
import { fixing } from "../cli/program.ts";
import { call, connect } from "../mcp/client.ts";
import { serve } from "../web/stage.ts";
import { handOver, lastEvent, postgresForTests, pushedOrigin, stateOf, until } from "./fleet-scene.ts";

const server = postgresForTests();
const awayMs = 40_000;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const worksFor = (delayMs: number) => ({
  roles: { implementer: [{ ...fixing.roles.implementer[0], delayMs }] },
});
const refused = expect.stringContaining("store_unreachable") as string;

it("[B-30] a database that is away for 40 s ends no worker, page or MCP server, and the run under way ends once", async () => {
  const { url, here } = await pushedOrigin(server());
  const env = { ...here.desk.env, THEHOOD_DATABASE_URL: url };
  const { runId } = handOver(here, worksFor(20_000));
  const worker = here.worker("--concurrency", "2");
  await until(
    () => lastEvent(here, runId) === "provider_wait_posted",
    () => `the worker begins: ${JSON.stringify(worker.lines)} ${lastEvent(here, runId)}`,
  );

  const served = await serve({ ...here.desk, env });
  const post = async (path: string, body: object, bearer = "") => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${bearer}` };
    const answer = await fetch(`${served.origin}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: answer.status, text: await answer.text() };
  };
  const login = await post("/api/login", { token: new URL(served.link).hash.slice(3) });
  const { bearer } = JSON.parse(login.text) as { bearer: string };
  const live = await fetch(`${served.origin}/api/live?repo=${encodeURIComponent(here.desk.repo.dir)}&run=${runId}`, {
    headers: { authorization: `Bearer ${bearer}` },
  });
  const reader = live.body?.getReader();
  await reader?.read();
  const client = await connect(here.desk, { env: here.env as Record<string, string> });
  const status = async () => call(client, "status", { run_id: runId });
  expect((await status()).isError).toBe(false);

  await server().stop("SIGINT");
  const until40 = Date.now() + awayMs;
  const refusals = await Promise.all([
    post("/api/do", { operation: "gate", input: { runId } }, bearer),
    post("/api/do", { operation: "run", input: { goal: "another", team: "stub" } }, bearer),
    status(),
  ]);
  expect(refusals.map(({ text }) => text)).toEqual([refused, refused, refused]);
  await pause(Math.max(0, until40 - Date.now()));
  expect([worker.child.exitCode, served.child.exitCode]).toEqual([null, null]);
  await server().start();

  await expect.poll(() => stateOf(here, runId), { timeout: 120_000, interval: 1_000 }).toBe("completed");
  expect((await status()).data).toMatchObject({ state: "completed" });
  const home = await post("/api/do", { operation: "home", input: {} }, bearer);
  expect(home).toMatchObject({ status: 200, text: expect.stringContaining(runId) as string });
  const second = handOver(here, worksFor(0));
  await expect.poll(() => stateOf(here, second.runId), { timeout: 120_000, interval: 1_000 }).toBe("completed");
  expect([worker.child.exitCode, served.child.exitCode]).toEqual([null, null]);
  await reader?.cancel().catch(() => undefined);
  const { events } = here
    .ask("show", runId, "--log", "--json")
    .json<{ events: { event: { type: string; callId?: string } }[] }>();
  for (const type of ["agent_response", "patch_applied", "run_completed"]) {
    const names = events.flatMap(({ event }) => (event.type === type ? [event.callId ?? type] : []));
    expect(names, type).toEqual([...new Set(names)]);
    expect(names, type).not.toEqual([]);
  }
});
