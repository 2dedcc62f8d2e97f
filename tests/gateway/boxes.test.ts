// Every provider of sandboxes is held to the same promises. Docker, E2B and Modal are played by doubles of their program or
// package.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it, onTestFinished } from "vitest";
import { e2bSandboxes } from "../../src/gateway/sandboxes/cloud/e2b.ts";
import { modalSandboxes } from "../../src/gateway/sandboxes/cloud/modal.ts";
import { dockerSandboxes } from "../../src/gateway/sandboxes/docker.ts";
import {
  folderSandboxes,
  type Sandbox,
  type SandboxProvider,
  type SandboxSpec,
} from "../../src/gateway/sandboxes/index.ts";
import { localSandboxes } from "../../src/gateway/sandboxes/local/provider.ts";
import { sandboxFiles } from "../../src/gateway/rules/index.ts";
import { initProgram } from "../../src/gateway/process/index.ts";
import { workspaceDiff } from "../../src/gateway/service/index.ts";
import { detectSandbox } from "../../src/platform/sandbox/index.ts";
import { tempFolder } from "../support/temp-folder.ts";

const confined = (await detectSandbox()).kind === "bubblewrap";
const limits = { files: 3, fileBytes: 100, totalBytes: 1000 };
const none = { files: [], values: [] };
const secret = "a-value-that-must-stay";

const providers: Readonly<Record<string, (folder: string) => SandboxProvider>> = {
  folder: (folder) => folderSandboxes(folder),
  local: (folder) =>
    localSandboxes({
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
    return dockerSandboxes({ program, image: "base", gatewayUrl: "http://gateway" });
  },
  e2b: (folder) => e2bSandboxes(installed(folder, "e2b")),
  modal: (folder) => modalSandboxes(installed(folder, "modal")),
};

/** The double as the package that a user installs for the gateway. */
function installed(folder: string, name: "e2b" | "modal") {
  const place = join(folder, "node_modules", name);
  mkdirSync(place, { recursive: true });
  const double = JSON.stringify(join(import.meta.dirname, `support/${name}.cjs`));
  writeFileSync(join(place, "index.js"), `module.exports = require(${double}).${name}At(${JSON.stringify(folder)});\n`);
  return { folder, image: "base", gatewayUrl: "https://gateway.example" };
}

describe.each(Object.keys(providers))("[A-20] sandboxes of the provider %s", (name) => {
  const has = it.skipIf(name !== "folder" && !confined);
  const runs = it.skipIf(name === "folder" || !confined);

  async function open(
    more: Partial<SandboxSpec> = {},
    sandboxes = providers[name]?.(tempFolder(`sandboxes-${name}-`)) as SandboxProvider,
  ): Promise<{ sandboxes: SandboxProvider; sandbox: Sandbox }> {
    const source = tempFolder("sandbox-source-");
    writeFileSync(join(source, "app.txt"), "one\n");
    const sandbox = await sandboxes.create({
      sessionId: "s",
      generation: 1,
      from: null,
      source,
      env: { GIVEN: "yes" },
      ...more,
    });
    onTestFinished(() => sandbox.stop());
    return { sandboxes, sandbox };
  }
  const text = async (sandbox: Sandbox, folder: string) =>
    (await sandbox.collect(folder, { files: 50, fileBytes: 1 << 20, totalBytes: 1 << 22 })).files.map(
      ({ path, bytes }) => `${path}=${bytes.toString("utf8")}`,
    );

  has("[A-20][A-21] writes the one list of files, and clears what was there before", async () => {
    const { sandbox } = await open();
    const facts = {
      sessionType: "coding",
      clientType: "user",
      configurationId: "c",
      systemPrompt: null,
      tools: null,
      repoName: null,
      runId: null,
    } as const;
    const set = sandboxFiles(
      facts,
      "gpt-5.2",
      { gatewayUrl: "http://g", token: "t" },
      { tools: "code", actions: "actions" },
    );
    await sandbox.write([{ path: "/home/user/workspace/.opencode/tool/save_env_files.ts", text: "old" }]);
    await sandbox.clear(set.clear);
    await sandbox.write(set.files);
    const wanted = set.files
      .filter(({ path }) => path.startsWith("/home/user/workspace/.opencode/"))
      .map(({ path, text: is }) => `${path.slice("/home/user/workspace/.opencode/".length)}=${is}`);
    expect((await text(sandbox, ".opencode")).sort()).toEqual(wanted.sort());
  });

  has("evidence is bounded, and no link leads out of the workspace", async () => {
    const { sandbox } = await open();
    await sandbox.write(
      [1, 2, 3, 4].map((at) => ({
        path: `/home/user/workspace/e/f${at}.txt`,
        text: at === 1 ? "x".repeat(101) : `${at}`,
      })),
    );
    const { files, left } = await sandbox.collect("e", limits);
    expect(files.map(({ path }) => path)).toEqual(["f2.txt", "f3.txt", "f4.txt"]);
    expect(left).toEqual([{ path: "f1.txt", why: "larger than 100 bytes" }]);
    expect(await sandbox.collect("missing", limits)).toEqual({ files: [], left: [] });
  });

  runs("a link out of the workspace gives no evidence", async () => {
    const { sandbox } = await open();
    await sandbox.exec(["sh", "-c", "mkdir e; ln -s /etc e/out; ln -s /etc/hostname e/file; ln -s /etc whole"], {
      cwd: "/home/user/workspace",
    });
    expect((await sandbox.collect("e", limits)).files).toEqual([]);
    expect(await sandbox.collect("whole", limits)).toEqual({
      files: [],
      left: [{ path: "whole", why: "it leads out of the workspace" }],
    });
  });

  runs("programs get their input, folder and variables, and end in time", async () => {
    const { sandbox } = await open();
    const ran = await sandbox.exec(["sh", "-c", 'cat; pwd; echo "$GIVEN $MORE"; exit 3'], {
      input: Buffer.from("in\n"),
      cwd: "/home/user/workspace",
      env: { MORE: "too" },
    });
    expect([ran.code, ran.stdout.toString("utf8")]).toEqual([3, "in\n/home/user/workspace\nyes too\n"]);
    expect((await sandbox.exec(["sleep", "30"], { timeoutMs: 300 })).code).not.toBe(0);
  });

  runs("bytes that are no text come back as they are", async () => {
    const { sandbox } = await open();
    const bytes = Buffer.from([0, 255, 10, 13, 128, 39, 36]);
    const { stdout } = await sandbox.exec(["cat"], { input: bytes, cwd: "/" });
    expect(stdout.equals(bytes)).toBe(true);
  });

  runs("the change of a session is read against the files that it started with", async () => {
    const { sandbox } = await open();
    await sandbox.write([{ path: "/home/user/workspace/app.txt", text: "two\n" }]);
    expect(await workspaceDiff(sandbox)).toContain("-one\n+two\n");
  });

  has("[A-8] a snapshot is whole, restorable, without secrets, and the live sandbox keeps them", async () => {
    const { sandboxes, sandbox } = await open();
    const env = "/home/user/workspace/.env";
    await sandbox.write([
      { path: env, text: secret, mode: 0o600 },
      { path: "/home/user/workspace/kept.txt", text: "kept" },
    ]);
    expect(await sandboxes.hasSnapshot("l1")).toBe("no");
    await sandbox.snapshot("l1", { files: [env], values: [secret] });
    expect(await sandboxes.hasSnapshot("l1")).toBe("yes");
    expect(await text(sandbox, ".")).toEqual(expect.arrayContaining([`.env=${secret}`]));
    const { sandbox: restored } = await open({ sessionId: "other", from: "l1" }, sandboxes);
    const files = (await text(restored, ".")).filter((one) => !one.startsWith(".git/"));
    expect(files.sort()).toEqual(["app.txt=one\n", "kept.txt=kept"]);
    await sandboxes.removeSnapshot("l1");
    expect(await sandboxes.hasSnapshot("l1")).toBe("no");
  });

  has("[A-8] a value from another file is in no snapshot", async () => {
    const { sandboxes, sandbox } = await open();
    await sandbox.write([{ path: "/home/user/workspace/notes.txt", text: `see ${secret}` }]);
    const taken = await sandbox.snapshot("l2", { files: [], values: [secret] }).then(
      () => true,
      () => false,
    );
    if (!taken) return expect(await sandboxes.hasSnapshot("l2")).toBe("no");
    const { sandbox: restored } = await open({ sessionId: "other", from: "l2" }, sandboxes);
    expect((await text(restored, ".")).join("\n")).not.toContain(secret);
  });

  has("a sandbox is found again while it runs, and is gone when it was stopped", async () => {
    const { sandboxes, sandbox } = await open();
    expect(await (await sandboxes.attach(sandbox.id, true))?.alive()).toBe(true);
    await sandbox.snapshot("l3", none);
    await sandbox.stop();
    expect(await sandboxes.attach(sandbox.id, true)).toBeUndefined();
    expect(await sandboxes.hasSnapshot("l3")).toBe("yes");
    await sandbox.stop();
  });
});

it("a snapshot is not there when copying it broke off", async () => {
  const folder = tempFolder("sandboxes-partial-");
  mkdirSync(join(folder, "snapshots", "l1.partial.1"), { recursive: true });
  expect(await folderSandboxes(folder).hasSnapshot("l1")).toBe("no");
});

it.skipIf(!confined)(
  "an agent that puts a link in the place of its socket, or swaps folders for links, leads us nowhere",
  async () => {
    const sandboxes = providers["local"]?.(tempFolder("sandboxes-hostile-")) as SandboxProvider;
    const sandbox = await sandboxes.create({
      sessionId: "s",
      generation: 1,
      from: null,
      source: null,
      env: {},
    });
    onTestFinished(() => sandbox.stop());
    const host = tempFolder("host-secret-");
    writeFileSync(join(host, "secret.txt"), "of the host");
    await sandbox.exec(["sh", "-c", `ln -s ${host} /home/user/workspace/out; ln -s ${host} /home/user/.local`], {
      cwd: "/",
    });
    await sandbox.snapshot("hostile", none);
    const restored = await sandboxes.create({
      sessionId: "t",
      generation: 1,
      from: "hostile",
      source: null,
      env: {},
    });
    onTestFinished(() => restored.stop());
    expect((await restored.exec(["cat", "/home/user/workspace/out/secret.txt"])).code).not.toBe(0);
    expect((await restored.exec(["readlink", "/home/user/workspace/out"])).stdout.toString("utf8")).toBe(`${host}\n`);
    await sandbox.exec(["sh", "-c", "rm /run/box/control.sock; ln -s /run/docker.sock /run/box/control.sock"], {
      cwd: "/",
    });
    expect((await sandbox.exec(["echo", "still here"])).stdout.toString("utf8")).toBe("still here\n");
    await expect(sandboxes.attach(sandbox.id, true)).rejects.toThrow();
    // It can be ended all the same.
    await sandboxes.end(sandbox.id);
    expect(await sandbox.alive()).toBe(false);
  },
);

it("a package of a vendor is looked for where the user installs it, and nowhere else", async () => {
  const folder = tempFolder("sandboxes-missing-");
  const spec = { sessionId: "s", generation: 1, from: null, source: null, env: {} };
  const options = { folder, image: "base", gatewayUrl: "https://gateway.example" };
  await expect(e2bSandboxes(options).create(spec)).rejects.toMatchObject({
    failure: {
      code: "provider_unavailable",
      remedy: `Install it for the gateway: npm install --prefix ${folder} e2b`,
    },
  });
  mkdirSync(join(folder, "node_modules", "modal"), { recursive: true });
  writeFileSync(join(folder, "node_modules", "modal", "index.js"), "module.exports = {};\n");
  await expect(modalSandboxes(options).create(spec)).rejects.toThrow("another package");
});
