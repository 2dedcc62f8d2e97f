// Sessions of the gateway stand in the same list and on the same page as runs.
import { spawn } from "node:child_process";
import process from "node:process";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { bin } from "../cli/program.ts";
import { chromium, closeBrowser, enter, openStage, serve, type Stage } from "../web/stage.ts";

afterAll(closeBrowser);

interface Listed {
  readonly total: number;
  readonly runs: readonly unknown[];
  readonly sessions?: readonly { readonly id: string; readonly kind: string; readonly status: string }[];
}

async function withGateway(): Promise<Stage> {
  const words = ["gateway", "dev", "--json", "--session", "work=coding", "--session", "gone=ended"];
  const child = spawn(process.execPath, [bin, ...words], { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void child.kill());
  const line = await new Promise<string>((resolve) =>
    child.stdout.once("data", (data: Buffer) => resolve(data.toString("utf8"))),
  );
  const { url, adminToken } = JSON.parse(line) as { url: string; adminToken: string };
  const stage = openStage();
  Object.assign(stage.env, { THEHOOD_GATEWAY_URL: url, THEHOOD_GATEWAY_TOKEN: adminToken });
  return stage;
}

describe("sessions beside runs", () => {
  it("are listed with kind, state and age, in text and in JSON, beside the runs as they were", async () => {
    const stage = await withGateway();
    stage.run();
    const listed = stage.thehood(["runs", "--json"]).json<Listed>();
    expect(listed).toMatchObject({ total: 1, runs: [{ state: "awaiting_approval" }] });
    expect(listed.sessions?.map(({ id, kind, status }) => `${id} ${kind} ${status}`).sort()).toEqual([
      "gone coding stopped",
      "work coding running",
    ]);
    expect(stage.thehood(["status", "--json"]).json<Listed>().sessions).toHaveLength(2);
    const text = stage.thehood(["runs"]).out;
    expect(text).toMatch(/Sessions of the gateway\n/);
    expect(text).toMatch(/work {2}running {2}coding session, now/);
    expect(text).toContain("thehood gateway logs work");
    expect(stage.thehood(["runs", "--state", "failed", "--json"]).json<Listed>().sessions).toBeUndefined();
    expect(stage.thehood(["gateway", "sessions"]).out).toMatch(/gone {2}stopped {2}coding session, now/);
    expect(stage.thehood(["gateway", "logs", "work"]).out).toMatch(/^\d\d:\d\d:\d\d +2 status running$/m);
    expect(stage.thehood(["gateway", "logs", "work", "--json"]).out).toContain('"data":{"status":"running"}');
    expect(stage.thehood(["gateway", "session", "work", "--json"]).json()).toMatchObject({
      session: { id: "work" },
      events: expect.arrayContaining([expect.objectContaining({ type: "status" })]),
    });
  });

  it("a list without a gateway, or with one that is gone, is the list of runs", () => {
    const stage = openStage();
    expect(stage.thehood(["runs", "--json"]).json<Listed>()).not.toHaveProperty("sessions");
    Object.assign(stage.env, { THEHOOD_GATEWAY_URL: "http://127.0.0.1:9", THEHOOD_GATEWAY_TOKEN: "t" });
    const { code, out } = stage.thehood(["runs", "--json"]);
    expect([code, JSON.parse(out)]).toMatchObject([0, { ok: true, runs: [] }]);
  });

  it.skipIf(!chromium)("stand on the page, and lead to their events", async () => {
    const page = await enter(await serve(await withGateway()));
    const work = page.getByRole("link", { name: /coding session.*running/i });
    await work.click();
    await page.getByRole("cell", { name: "running", exact: true }).waitFor();
    expect(page.url()).toContain("session?id=work");
  });
});
