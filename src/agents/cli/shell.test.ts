import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { createCommandRunner, detectSandbox } from "../../platform/sandbox/index.ts";
import { offlineShell } from "./environment.ts";

const confined = (await detectSandbox()).kind === "bubblewrap";
const folder = tempFolder("it's a shell-");

it.skipIf(!confined)("[S-3] a command has no network, no key and no login (needs bubblewrap)", async () => {
  const login = join(folder, "login's.json");
  const shell = join(folder, "bash");
  writeFileSync(login, "the login");
  writeFileSync(shell, offlineShell({ variables: ["MODEL_KEY"], files: [login, join(folder, "absent")] }), {
    mode: 0o700,
  });
  const line =
    'echo "key=$MODEL_KEY other=$OTHER"; cat "$LOGIN"; grep -c : /proc/net/dev; grep -z MODEL /proc/*/environ';
  const { exitCode, stdout, stderr } = await createCommandRunner({
    environment: { PATH: process.env["PATH"] },
  }).run({
    argv: [shell, "-c", line],
    cwd: folder,
    writable: [],
    readable: [folder],
    network: true,
    nested: true,
    env: { MODEL_KEY: "secret-1", OTHER: "kept", LOGIN: login },
    timeoutMs: 20_000,
    maxOutputBytes: 100_000,
  });
  const said = Buffer.from(stdout).toString();
  expect(said, Buffer.from(stderr).toString()).toContain("key= other=kept\n1\n");
  expect(said).not.toContain("the login");
  expect(said).not.toContain("secret-1");
  expect(exitCode).not.toBe(127);
});
