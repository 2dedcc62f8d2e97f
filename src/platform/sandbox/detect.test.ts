import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Scene, makeScene, say } from "../../../tests/support/sandbox-scene.ts";
import { createCommandRunner, detectSandbox, trustedPath } from "./index.ts";

let scene: Scene;
beforeEach(() => {
  scene = makeScene();
});
afterEach(() => scene.remove());

/** A program named bwrap that answers its version and then refuses, as it does where user namespaces are forbidden. */
function brokenProgram(): string {
  const folder = join(scene.root, "bin");
  mkdirSync(folder);
  const body =
    '#!/bin/sh\n[ "$1" = --version ] && echo "bubblewrap 0.8.0" && exit 0\necho "bwrap: setting up uid map: Permission denied" >&2\nexit 1\n';
  writeFileSync(join(folder, "bwrap"), body);
  chmodSync(join(folder, "bwrap"), 0o755);
  return folder;
}

it("says what is missing and how to get it", async () => {
  const absent = await detectSandbox({ path: scene.outside, platform: "linux" });
  expect(absent).toMatchObject({ kind: "none" });
  expect(absent.remedy).toContain("apt-get install bubblewrap");
  const elsewhere = await detectSandbox({ platform: "darwin" });
  expect(elsewhere.note).toContain("darwin");
  expect(elsewhere.open.join()).toContain("network");
});

it("tries the sandbox instead of trusting that it is installed", async () => {
  const report = await detectSandbox({ path: brokenProgram(), platform: "linux" });
  expect(report).toMatchObject({ kind: "none" });
  expect(report.note).toContain("setting up uid map: Permission denied");
  expect(report.remedy).toContain("user namespaces");
});

/** A bwrap that meets trouble of the machine at its first tries, and then does as asked. */
function troubledProgram(times: number, trouble: string): string {
  const folder = join(scene.root, "bin");
  mkdirSync(folder);
  const body = `#!/bin/sh
[ "$1" = --version ] && echo "bubblewrap 0.8.0" && exit 0
echo x >> "${join(scene.root, "tries")}"
[ "$(wc -l < "${join(scene.root, "tries")}")" -gt ${times} ] && exit 0
${trouble}
`;
  writeFileSync(join(folder, "bwrap"), body);
  chmodSync(join(folder, "bwrap"), 0o755);
  return folder;
}

const troubles = [
  'echo "bwrap: Creating new namespace failed: Resource temporarily unavailable" >&2; exit 1',
  'echo "bwrap: fork: Cannot allocate memory" >&2; exit 1',
  "kill -9 $$",
];

it.each(troubles)("[B-17] trouble of the machine takes no sandbox away: %s", async (trouble) => {
  expect(await detectSandbox({ path: troubledProgram(2, trouble), platform: "linux" })).toMatchObject({
    kind: "bubblewrap",
  });
});

it("[B-17] while the trouble lasts nothing runs without the sandbox, and it is tried again later", async () => {
  const sandboxPath = troubledProgram(3, "kill -9 $$");
  const runner = createCommandRunner({ environment: { PATH: "/usr/bin:/bin" }, sandboxPath });
  await expect(say(runner, scene, "touch made")).rejects.toMatchObject({ failure: { code: "out_of_resources" } });
  expect(existsSync(join(scene.root, "made"))).toBe(false);
  expect(await runner.confinement()).toBe("bubblewrap");
});

it("[B-17] a command that the machine has no room for is trouble, and no fact about the work", async () => {
  const sandboxPath = troubledProgram(0, "");
  const runner = createCommandRunner({ environment: { PATH: "/usr/bin:/bin" }, sandboxPath });
  expect(await runner.confinement()).toBe("bubblewrap");
  const body = `#!/bin/sh\n${troubles[0]?.replace("Creating new namespace failed", "Can't fork for pid 1")}\n`;
  writeFileSync(join(sandboxPath, "bwrap"), body);
  await expect(say(runner, scene, "touch made")).rejects.toMatchObject({ failure: { code: "out_of_resources" } });
});

it("where no sandbox can be had the record says so, and a runner that needs one refuses", async () => {
  const environment = { PATH: "/usr/bin:/bin" };
  const sandboxPath = brokenProgram();
  const outcome = await say(createCommandRunner({ environment, sandboxPath }), scene, "echo $HOME; touch made");
  expect(outcome).toMatchObject({ exitCode: 0, sandbox: { kind: "none", network: true } });
  expect(outcome.sandbox.note).toContain("cannot confine");
  expect(outcome.stdout).not.toContain(scene.home);
  const refused = await say(
    createCommandRunner({ environment, sandboxPath, sandbox: "required" }),
    scene,
    "touch more",
  );
  expect(refused).toMatchObject({ ended: "not_started", exitCode: null });
  expect(refused.error).toContain("No sandbox");
});

it.runIf((await detectSandbox()).kind === "bubblewrap")(
  "names the protection that is active (needs bubblewrap)",
  async () => {
    const report = await detectSandbox();
    expect(report.program).toMatch(/bwrap$/);
    expect(report.protection.join("\n")).toMatch(/read-only[^]*credentials[^]*git folders[^]*network/);
  },
);

it("takes its protection from system folders only, whatever a repository puts first on the path", async () => {
  const planted = join(brokenProgram(), "node_modules/.bin");
  expect(trustedPath(`${planted}:/usr/bin:/usr/../tmp:relative:/opt/x/bin`)).toBe("/usr/bin:/opt/x/bin");
  expect(trustedPath(planted)).toBe("");
});
