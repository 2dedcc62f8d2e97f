// Every provider of boxes is held to the same promises. Docker, E2B and Modal are played by doubles of their program or
// package.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it, onTestFinished } from "vitest";
import { e2bBoxes } from "../../src/gateway/sandboxes/cloud/e2b.ts";
import { modalBoxes } from "../../src/gateway/sandboxes/cloud/modal.ts";
import { dockerBoxes } from "../../src/gateway/sandboxes/docker.ts";
import { folderBoxes, type Box, type BoxProvider, type BoxSpec } from "../../src/gateway/sandboxes/index.ts";
import { localBoxes } from "../../src/gateway/sandboxes/local/provider.ts";
import { boxFiles } from "../../src/gateway/rules/index.ts";
import { initProgram } from "../../src/gateway/process/index.ts";
import { workspaceDiff } from "../../src/gateway/service/index.ts";
import { detectSandbox } from "../../src/platform/sandbox/index.ts";
import { tempFolder } from "../support/temp-folder.ts";

const confined = (await detectSandbox()).kind === "bubblewrap";
const limits = { files: 3, fileBytes: 100, totalBytes: 1000 };
const none = { files: [], values: [] };
const secret = "a-value-that-must-stay";

const providers: Readonly<Record<string, (folder: string) => BoxProvider>> = {
  folder: (folder) => folderBoxes(folder),
  local: (folder) =>
    localBoxes({
      folder,
      path: process.env["PATH"] ?? "",
      init: initProgram(),
      node: process.execPath,
      opencode: undefined,
      accept: (socket) => socket.destroy(),
      hosts: [],
    }),
  docker: (folder) => {
    const program = join(folder, "docker");
    const double = join(import.meta.dirname, "support/docker.cjs");
    const line = `DOUBLE_ROOT='${folder}' exec '${process.execPath}' '${double}' -- "$@"`;
    writeFileSync(program, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
    return dockerBoxes({ program, image: "base", gatewayUrl: "http://gateway" });
  },
  e2b: (folder) => e2bBoxes(installed(folder, "e2b")),
  modal: (folder) => modalBoxes(installed(folder, "modal")),
};

/** The double as the package that a user installs for the gateway. */
function installed(folder: string, name: "e2b" | "modal") {
  const place = join(folder, "node_modules", name);
  mkdirSync(place, { recursive: true });
  const double = JSON.stringify(join(import.meta.dirname, `support/${name}.cjs`));
  writeFileSync(
    join(place, "index.js"),
    `module.exports = require(${double}).${name}At(${JSON.stringify(folder)});\n`,
  );
  return { folder, image: "base", gatewayUrl: "https://gateway.example" };
}

describe.each(Object.keys(providers))("[A-20] boxes of the provider %s", (name) => {
  const has = it.skipIf(name !== "folder" && !confined);
  const runs = it.skipIf(name === "folder" || !confined);

  async function open(
    more: Partial<BoxSpec> = {},
    boxes = providers[name]?.(tempFolder(`boxes-${name}-`)) as BoxProvider,
  ): Promise<{ boxes: BoxProvider; box: Box }> {
    const source = tempFolder("box-source-");
    writeFileSync(join(source, "app.txt"), "one\n");
    const box = await boxes.create({
      sessionId: "s",
      generation: 1,
      from: null,
      source,
      env: { GIVEN: "yes" },
      ...more,
    });
    onTestFinished(() => box.stop());
    return { boxes, box };
  }
  const text = async (box: Box, folder: string) =>
    (await box.collect(folder, { files: 50, fileBytes: 1 << 20, totalBytes: 1 << 22 })).files.map(
      ({ path, bytes }) => `${path}=${bytes.toString("utf8")}`,
    );

  has("[A-20][A-21] writes the one list of files, and clears what was there before", async () => {
    const { box } = await open();
    const facts = {
      sessionType: "coding",
      clientType: "user",
      configurationId: "c",
      systemPrompt: null,
      tools: null,
      repoName: null,
      runId: null,
    } as const;
    const set = boxFiles(facts, "gpt-5.2", { gatewayUrl: "http://g", token: "t" }, "code");
    await box.write([{ path: "/home/user/workspace/.opencode/tool/save_env_files.ts", text: "old" }]);
    await box.clear(set.clear);
    await box.write(set.files);
    const wanted = set.files
      .filter(({ path }) => path.startsWith("/home/user/workspace/.opencode/"))
      .map(({ path, text: is }) => `${path.slice("/home/user/workspace/.opencode/".length)}=${is}`);
    expect((await text(box, ".opencode")).sort()).toEqual(wanted.sort());
  });

  has("evidence is bounded, and no link leads out of the workspace", async () => {
    const { box } = await open();
    await box.write(
      [1, 2, 3, 4].map((at) => ({
        path: `/home/user/workspace/e/f${at}.txt`,
        text: at === 1 ? "x".repeat(101) : `${at}`,
      })),
    );
    const { files, left } = await box.collect("e", limits);
    expect(files.map(({ path }) => path)).toEqual(["f2.txt", "f3.txt", "f4.txt"]);
    expect(left).toEqual([{ path: "f1.txt", why: "larger than 100 bytes" }]);
    expect(await box.collect("missing", limits)).toEqual({ files: [], left: [] });
  });

  runs("a link out of the workspace gives no evidence", async () => {
    const { box } = await open();
    await box.exec(["sh", "-c", "mkdir e; ln -s /etc e/out; ln -s /etc/hostname e/file; ln -s /etc whole"], {
      cwd: "/home/user/workspace",
    });
    expect((await box.collect("e", limits)).files).toEqual([]);
    expect(await box.collect("whole", limits)).toEqual({
      files: [],
      left: [{ path: "whole", why: "it leads out of the workspace" }],
    });
  });

  runs("programs get their input, folder and variables, and end in time", async () => {
    const { box } = await open();
    const ran = await box.exec(["sh", "-c", 'cat; pwd; echo "$GIVEN $MORE"; exit 3'], {
      input: Buffer.from("in\n"),
      cwd: "/home/user/workspace",
      env: { MORE: "too" },
    });
    expect([ran.code, ran.stdout.toString("utf8")]).toEqual([3, "in\n/home/user/workspace\nyes too\n"]);
    expect((await box.exec(["sleep", "30"], { timeoutMs: 300 })).code).not.toBe(0);
  });

  runs("bytes that are no text come back as they are", async () => {
    const { box } = await open();
    const bytes = Buffer.from([0, 255, 10, 13, 128, 39, 36]);
    const { stdout } = await box.exec(["cat"], { input: bytes, cwd: "/" });
    expect(stdout.equals(bytes)).toBe(true);
  });

  runs("the change of a session is read against the files that it started with", async () => {
    const { box } = await open();
    await box.write([{ path: "/home/user/workspace/app.txt", text: "two\n" }]);
    expect(await workspaceDiff(box)).toContain("-one\n+two\n");
  });

  has("[A-8] a snapshot is whole, restorable, without secrets, and the live box keeps them", async () => {
    const { boxes, box } = await open();
    const env = "/home/user/workspace/.env";
    await box.write([
      { path: env, text: secret, mode: 0o600 },
      { path: "/home/user/workspace/kept.txt", text: "kept" },
    ]);
    expect(await boxes.hasSnapshot("l1")).toBe("no");
    await box.snapshot("l1", { files: [env], values: [secret] });
    expect(await boxes.hasSnapshot("l1")).toBe("yes");
    expect(await text(box, ".")).toEqual(expect.arrayContaining([`.env=${secret}`]));
    const { box: restored } = await open({ sessionId: "other", from: "l1" }, boxes);
    const files = (await text(restored, ".")).filter((one) => !one.startsWith(".git/"));
    expect(files.sort()).toEqual(["app.txt=one\n", "kept.txt=kept"]);
    await boxes.removeSnapshot("l1");
    expect(await boxes.hasSnapshot("l1")).toBe("no");
  });

  has("[A-8] a value that stands in another file is in no snapshot", async () => {
    const { boxes, box } = await open();
    await box.write([{ path: "/home/user/workspace/notes.txt", text: `see ${secret}` }]);
    const taken = await box.snapshot("l2", { files: [], values: [secret] }).then(
      () => true,
      () => false,
    );
    if (!taken) return expect(await boxes.hasSnapshot("l2")).toBe("no");
    const { box: restored } = await open({ sessionId: "other", from: "l2" }, boxes);
    expect((await text(restored, ".")).join("\n")).not.toContain(secret);
  });

  has("a box is found again while it runs, and is gone when it was stopped", async () => {
    const { boxes, box } = await open();
    expect(await (await boxes.attach(box.id, true))?.alive()).toBe(true);
    await box.snapshot("l3", none);
    await box.stop();
    expect(await boxes.attach(box.id, true)).toBeUndefined();
    expect(await boxes.hasSnapshot("l3")).toBe("yes");
    await box.stop();
  });
});

it("a snapshot is not there when copying it broke off", async () => {
  const folder = tempFolder("boxes-partial-");
  mkdirSync(join(folder, "snapshots", "l1.partial.1"), { recursive: true });
  expect(await folderBoxes(folder).hasSnapshot("l1")).toBe("no");
});

it.skipIf(!confined)(
  "an agent that puts a link in the place of its socket, or swaps folders for links, leads us nowhere",
  async () => {
    const boxes = providers["local"]?.(tempFolder("boxes-hostile-")) as BoxProvider;
    const box = await boxes.create({ sessionId: "s", generation: 1, from: null, source: null, env: {} });
    onTestFinished(() => box.stop());
    const host = tempFolder("host-secret-");
    writeFileSync(join(host, "secret.txt"), "of the host");
    await box.exec(["sh", "-c", `ln -s ${host} /home/user/workspace/out; ln -s ${host} /home/user/.local`], {
      cwd: "/",
    });
    await box.snapshot("hostile", none);
    const restored = await boxes.create({
      sessionId: "t",
      generation: 1,
      from: "hostile",
      source: null,
      env: {},
    });
    onTestFinished(() => restored.stop());
    expect((await restored.exec(["cat", "/home/user/workspace/out/secret.txt"])).code).not.toBe(0);
    expect((await restored.exec(["readlink", "/home/user/workspace/out"])).stdout.toString("utf8")).toBe(
      `${host}\n`,
    );
    await box.exec(["sh", "-c", "rm /run/box/control.sock; ln -s /run/docker.sock /run/box/control.sock"], {
      cwd: "/",
    });
    expect((await box.exec(["echo", "still here"])).stdout.toString("utf8")).toBe("still here\n");
    await expect(boxes.attach(box.id, true)).rejects.toThrow();
    // It can be ended all the same.
    await boxes.end(box.id);
    expect(await box.alive()).toBe(false);
  },
);

it("a package of a vendor is looked for where the user installs it, and nowhere else", async () => {
  const folder = tempFolder("boxes-missing-");
  const spec = { sessionId: "s", generation: 1, from: null, source: null, env: {} };
  const options = { folder, image: "base", gatewayUrl: "https://gateway.example" };
  await expect(e2bBoxes(options).create(spec)).rejects.toMatchObject({
    failure: {
      code: "provider_unavailable",
      remedy: `Install it for the gateway: npm install --prefix ${folder} e2b`,
    },
  });
  mkdirSync(join(folder, "node_modules", "modal"), { recursive: true });
  writeFileSync(join(folder, "node_modules", "modal", "index.js"), "module.exports = {};\n");
  await expect(modalBoxes(options).create(spec)).rejects.toThrow("another package");
});
