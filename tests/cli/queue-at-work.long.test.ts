// The queue of this machine while it is at work: Ctrl-C, removal, a repository that goes away, gates.
import { once } from "node:events";
import { renameSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { fixing, openTestDesk, type Desk } from "./program.ts";

const roles = ["orchestrator", "planner", "implementer", "verifier", "critic", "qa"];
const optionsWith = (script: unknown): string[] => [
  ...roles.flatMap((role) => [`--${role}`, role === "implementer" ? "stub:a" : "stub:b"]),
  "--stub-script",
  JSON.stringify(script),
  "--approvals",
  "autopilot",
  "--json",
];
const options = optionsWith(fixing);
/** The implementer works so long that the run can be met at it. */
const slow = optionsWith({ roles: { implementer: [{ ...fixing.roles.implementer[0], delayMs: 3_000 }] } });

const rowsOf = (desk: Desk): Shown["rows"] => desk.thehood(["queue", "--json"]).json<Shown>().rows;

async function underWay(desk: Desk): Promise<void> {
  while (!rowsOf(desk).some(({ state }) => state === "running")) await sleep(100);
}

interface Shown {
  readonly runId: string;
  readonly paused: boolean;
  readonly rows: readonly { readonly runId: string; readonly state: string; readonly doing: string }[];
}

it("Ctrl-C ends queue run at once and in peace, and the run under way goes on to its end", async () => {
  const desk = openTestDesk();
  const { runId } = desk.thehood(["queue", "add", "fix add", ...slow]).json<Shown>();
  const server = desk.spawn(["queue", "run", "--quiet"]);
  let told = "";
  server.stderr?.on("data", (part: Buffer) => (told += part.toString()));
  await underWay(desk);
  server.kill("SIGINT");
  const [code] = (await once(server, "close")) as [number | null];
  expect(rowsOf(desk)).toMatchObject([{ runId, state: "running" }]);
  expect({ code, told }).toEqual({ code: 0, told: "" });
  while (rowsOf(desk)[0]?.state === "running") await sleep(200);
  expect(desk.thehood(["status", runId, "--json"]).json()).toMatchObject({ state: "completed" });
});

it("remove of a run under way says that it goes on, and it is not begun again", async () => {
  const desk = openTestDesk();
  const { runId } = desk.thehood(["queue", "add", "fix add", ...slow]).json<Shown>();
  const server = desk.spawn(["queue", "run", "--quiet"]);
  const ended = once(server, "close");
  await underWay(desk);
  const removed = desk.thehood(["queue", "remove", runId]);
  expect(removed.err).toContain(`${runId} is under way and goes on`);
  await ended;
  expect(desk.thehood(["status", runId, "--json"]).json()).toMatchObject({ state: "completed" });
  const again = desk.thehood(["queue", "add", "--run", runId, "--json"]).json();
  expect(again).toMatchObject({ error: { message: expect.stringContaining("nothing left to do") as string } });
});

it("a repository that is gone is named and counts as no failure; when it is back, its runs end", async () => {
  const desk = openTestDesk();
  const { runId } = desk.thehood(["queue", "add", "fix add", ...options]).json<Shown>();
  const server = desk.spawn(["queue", "run", "--stay", "--quiet"]);
  const away = `${desk.repo.dir}-away`;
  renameSync(desk.repo.dir, away);
  const outside = { cwd: desk.home };
  const gone = desk.thehood(["queue", "--json"], outside).json<Shown>();
  expect(gone.rows).toMatchObject([{ runId, state: "missing", doing: `There is no folder ${desk.repo.dir}.` }]);
  await sleep(1_500);
  server.kill("SIGINT");
  await once(server, "close");
  renameSync(away, desk.repo.dir);
  expect(desk.thehood(["queue", "run", "--json"]).json<Shown>().rows).toEqual([]);
  expect(desk.thehood(["status", runId, "--json"]).json()).toMatchObject({ state: "completed" });
});

it("runs that wait for a person take no place: a queue full of gates goes on with the next", () => {
  const desk = openTestDesk();
  const asking = options.filter((word) => word !== "--approvals" && word !== "autopilot");
  const add = (words: readonly string[]) => desk.thehood(["queue", "add", "fix add", ...words]).json<Shown>().runId;
  const gates = [add(asking), add(asking)];
  const last = add(options);
  const after = desk.thehood(["queue", "run", "--parallel", "1", "--json"]).json<Shown>();
  expect(after.rows.map(({ runId, state }) => [runId, state])).toEqual(gates.map((id) => [id, "waits_for_you"]));
  expect(desk.thehood(["status", last, "--json"]).json()).toMatchObject({ state: "completed" });
});
