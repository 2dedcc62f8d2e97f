// A folder that a program is given may hold a home: its credentials stay hidden.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Scene, canary, makeScene, say } from "../../../tests/support/sandbox-scene.ts";
import { createCommandRunner, detectSandbox } from "./index.ts";

const confined = (await detectSandbox()).kind === "bubblewrap";

describe.skipIf(!confined)("[S-2] a home that a program is given (needs bubblewrap)", () => {
  let scene: Scene;
  beforeEach(() => (scene = makeScene()));
  afterEach(() => scene.remove());
  const runner = () =>
    createCommandRunner({
      home: scene.home,
      environment: { PATH: process.env["PATH"] },
      sandbox: "required",
    });

  it.each([
    ["to write", (one: Scene) => ({ writable: [one.home] })],
    ["to read", (one: Scene) => ({ writable: [one.project], readable: [one.home] })],
    ["as its working folder", (one: Scene) => ({ cwd: one.home, writable: [one.home] })],
  ])("%s shows its files, and none of its credentials", async (_, given) => {
    writeFileSync(join(scene.home, "plain.txt"), "plain");
    const files = ".ssh/id_rsa .aws/credentials .netrc .git-credentials .docker/config.json .npmrc";
    const line = `cat ${scene.home}/plain.txt; cd ${scene.home} && cat ${files} .config/gh/hosts.yml .gnupg/*`;
    const { stdout, stderr } = await say(runner(), scene, line, given(scene));
    expect(stdout).toContain("plain");
    expect(`${stdout}${stderr}`).not.toContain(canary);
  });
});
