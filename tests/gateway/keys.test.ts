// The keys of the gateway, as a user meets them: the start says where they are, and the commands find them there.
import { spawn } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { expect, it, onTestFinished } from "vitest";
import { bin, openTestDesk, type Desk } from "../cli/program.ts";
import { playKeychain } from "../support/keychain-program.ts";

/** Starts the real gateway; gives its first line, or what it printed before it ended. */
function start({ repo }: Desk, env: NodeJS.ProcessEnv): Promise<string> {
  const words = ["gateway", "--port", "0", "--endpoint", "http://127.0.0.1:1/v1", "--json"];
  const child = spawn(process.execPath, [bin, ...words], { cwd: repo.dir, env });
  onTestFinished(() => void child.kill("SIGKILL"));
  let err = "";
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString("utf8")));
  return new Promise((resolve) => {
    child.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString("utf8")));
    child.once("close", () => resolve(err));
  });
}

const onLinux = it.skipIf(process.platform !== "linux");

onLinux("[S-1] with a keychain they are in it, and doctor, the start and the commands agree", async () => {
  const desk = openTestDesk();
  const played = playKeychain("secret-tool");
  const env = { ...desk.env, PATH: [played.folder, desk.env["PATH"]].join(delimiter) };
  const doctor = () =>
    desk
      .thehood(["doctor", "--verbose"], { env })
      .out.split("\n")
      .find((line) => line.includes("gateway keys"));
  expect(doctor()).toContain("none yet; it would be the keychain (libsecret)");
  expect(JSON.parse(await start(desk, env))).toMatchObject({ keys: "in the keychain (libsecret)" });
  expect(doctor()).toContain("the keychain (libsecret)");
  const listed = desk.thehood(["gateway", "sessions", "--json"], { env });
  expect(listed.code, listed.err).toBe(0);
  const values = Object.values(played.entries());
  expect(values).toHaveLength(2);
  for (const name of ["keys", "admin-token"]) {
    const text = readFileSync(join(desk.home, "config/state/gateway", name), "utf8");
    expect(text).toMatch(/^keychain /);
    for (const value of values) expect(text).not.toContain(value);
  }
});

it("[S-1] without one they are private files; one that the group can read stops the gateway and its commands", async () => {
  const desk = openTestDesk();
  const folder = join(desk.home, "config/state/gateway");
  expect(JSON.parse(await start(desk, desk.env))).toMatchObject({ keys: expect.stringContaining("(0600)") as string });
  chmodSync(join(folder, "admin-token"), 0o640);
  const listed = desk.thehood(["gateway", "sessions"]);
  expect(listed.code).toBe(6);
  expect(listed.err).toContain("chmod 600");
  chmodSync(join(folder, "admin-token"), 0o600);
  chmodSync(join(folder, "keys"), 0o640);
  expect(await start(desk, desk.env)).toContain("Other users can read");
});
