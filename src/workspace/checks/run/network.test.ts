// A check judges the tree and nothing else: no server is asked, and no result depends on one.
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeRepository } from "../../../../tests/support/repository.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { requireRepository } from "../../../platform/git/index.ts";
import { createCommandRunner, detectSandbox } from "../../../platform/sandbox/index.ts";
import { runCheck } from "./run-check.ts";

const sandbox = await detectSandbox({ path: process.env["PATH"] ?? "" });
const runner = createCommandRunner({ environment: { PATH: process.env["PATH"] } });
let port = 0;
let met = 0;
const server = createServer((socket) => {
  met += 1;
  socket.end();
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());

const line = () => `(exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null && echo reached || echo alone`;

describe.skipIf(sandbox.kind === "none")("[R-33] [S-4] the network of a check (needs bubblewrap)", () => {
  it("is none: a server of this very machine receives nothing", async () => {
    const repo = makeRepository({ "a.txt": "a\n" });
    const repository = requireRepository(repo.dir);
    const result = await runCheck({
      repository,
      runner,
      scratchRoot: join(tempFolder("check-net-"), "checks"),
      spec: {
        id: "x",
        kind: "other",
        argv: ["bash", "-c", line()],
        cwd: "",
        source: "config",
        timeoutMs: 30_000,
      },
      tree: repo.git("rev-parse", "HEAD^{tree}").trim(),
    });
    expect(new TextDecoder().decode(result.command.stdout)).toContain("alone");
    expect(result.command.sandbox).toMatchObject({ network: false });
    expect(met).toBe(0);
  });

  it("would reach the server if the network were given: the same line reaches it with the network", async () => {
    const folder = tempFolder("check-net-");
    const open = await runner.run({
      argv: ["bash", "-c", line()],
      cwd: folder,
      writable: [folder],
      network: true,
      timeoutMs: 30_000,
      maxOutputBytes: 10_000,
    });
    expect(new TextDecoder().decode(open.stdout)).toContain("reached");
    expect(met).toBe(1);
  });
});
