// The person is told when something begins to wait: in the terminal, on the desktop, at an address of their own.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { spawn } from "node:child_process";
import process from "node:process";
import { expect, it, onTestFinished } from "vitest";
import { bin } from "../cli/program.ts";
import { openStage } from "./stage.ts";

it("tells each gate once, by bell, note and webhook, and nothing that waited before; a webhook with a fault is notified again", async () => {
  const stage = openStage();
  stage.run();
  const bins = join(stage.home, "bin");
  const noted = join(stage.home, "noted");
  mkdirSync(bins);
  writeFileSync(join(bins, "notify-send"), `#!/bin/sh\nprintf '%s\\n' "$@" >> ${noted}\n`);
  chmodSync(join(bins, "notify-send"), 0o755);
  const posts: { runId: string; risk: string }[] = [];
  let faults = 1;
  const hook = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString("utf8")));
    request.on("end", () => {
      if (faults > 0) response.statusCode = 503;
      else posts.push(JSON.parse(body) as { runId: string; risk: string });
      faults -= 1;
      response.end();
    });
  });
  await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void hook.close());
  const { port } = hook.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/hook`;
  const child = spawn(process.execPath, [bin, "web", "--no-open", "--notify", "--webhook", url], {
    cwd: stage.repo.dir,
    env: { ...stage.env, PATH: `${bins}:${stage.env["PATH"]}` },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString("utf8")));
  await expect.poll(() => said, { timeout: 120_000 }).toContain("#t=");
  const id = stage.run();
  await expect.poll(() => posts.length, { timeout: 120_000 }).toBe(1);
  expect(posts[0]).toMatchObject({ runId: id, risk: "low" });
  expect(said).not.toContain("The webhook call failed");
  expect(said).toContain("\u0007◆ thehood needs you (low risk)");
  await expect.poll(() => existsSync(noted) && readFileSync(noted, "utf8")).toContain("Make add() add");
  stage.thehood(["reject", id, "--json"]);
  const next = stage.run();
  await expect.poll(() => posts.map(({ runId }) => runId), { timeout: 120_000 }).toEqual([id, next]);
});
