// A provider that refuses a call until later: the run waits and goes on by itself, and a queue gives its place to another run.
import process from "node:process";
import { describe, expect, it } from "vitest";
import { fixing, openTestDesk, stub, type Desk } from "./program.ts";
import { owners, rowsOf, serve, until } from "./queue-scene.ts";

interface Logged {
  readonly at: number;
  readonly event: { readonly type: string; readonly until?: number };
}

const refusing = (limitMs: number) => ({
  roles: { ...fixing.roles, implementer: [{ limitMs }, ...fixing.roles.implementer] },
});
const auto = ["--team", "stub", "--approvals", "autopilot", "--json"];
const eventOf = (desk: Desk, runId: string, type: string): Logged | undefined =>
  desk
    .thehood(["logs", runId, "--json"])
    .json<{ events: Logged[] }>()
    .events.find(({ event }) => event.type === type);
const momentOf = (desk: Desk, runId: string, type: string): number => eventOf(desk, runId, type)?.at ?? NaN;
const endOf = (desk: Desk, runId: string): number => eventOf(desk, runId, "provider_limited")?.event.until ?? NaN;

describe("a limit of a provider", () => {
  it("is waited for in the terminal, and the run then ends as usual", () => {
    const desk = openTestDesk();
    const ran = desk.thehood(["run", "fix add", ...auto, ...stub(refusing(2_000))]);
    expect(ran.code, ran.out + ran.err).toBe(0);
    const { runId } = ran.json<{ runId: string }>();
    expect(momentOf(desk, runId, "provider_limit_over")).toBeGreaterThanOrEqual(endOf(desk, runId));
  });

  it(
    "is waited for across a reboot: the queue goes on with the run at that time, by itself",
    { timeout: 300_000 },
    async () => {
      const desk = openTestDesk();
      const args = ["queue", "add", "fix add", "--branch", "fix-add", ...auto, ...stub(refusing(20_000))];
      const { runId } = desk.thehood(args).json<{ runId: string }>();
      const server = serve(desk, 1);
      const phase = () =>
        desk.thehood(["status", runId, "--json"]).json<{ monitor: { phase: string } }>().monitor.phase;
      await until(() => (phase() === "waiting_provider" ? true : undefined));
      server.kill("SIGKILL");
      for (const pid of owners(rowsOf(desk))) process.kill(-pid, "SIGKILL");
      expect(desk.thehood(["queue"]).out).toMatch(/waiting until .* is at its limit/);
      const served = desk.thehood(["queue", "run"]);
      expect(served.code, served.out + served.err).toBe(0);
      expect(desk.thehood(["status", runId, "--json"]).json()).toMatchObject({ state: "completed" });
      expect(momentOf(desk, runId, "provider_limit_over")).toBeGreaterThanOrEqual(endOf(desk, runId));
    },
  );

  it("leaves its place in the queue to another run, which begins before it goes on", () => {
    const desk = openTestDesk();
    const add = (goal: string, script: unknown) =>
      desk.thehood(["queue", "add", goal, "--branch", goal, ...auto, ...stub(script)]).json<{ runId: string }>().runId;
    const first = add("first", refusing(45_000));
    const second = add("second", fixing);
    const served = desk.thehood(["queue", "run", "--parallel", "1"]);
    expect(served.code, served.out + served.err).toBe(0);
    expect(momentOf(desk, second, "agent_asked")).toBeLessThan(momentOf(desk, first, "provider_limit_over"));
    expect(momentOf(desk, first, "run_completed")).toBeGreaterThan(0);
    expect(desk.thehood(["log", "verify"]).code).toBe(0);
  });
});
