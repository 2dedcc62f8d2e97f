// The provider `opencode-sandbox`: a call works on a copy of its worktree and comes back as a patch.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gatewayClient } from "../../src/gateway/client.ts";
import { createSandboxRole } from "../../src/agents/sandbox/index.ts";
import { detectSandbox } from "../../src/platform/sandbox/index.ts";
import { providerCall } from "../support/provider-call.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { openScene } from "./support/scene.ts";

const confined = it.skipIf((await detectSandbox()).kind === "none");

/** A worktree as the engine hands it over: its git folder is elsewhere. */
function worktree(): string {
  const main = tempFolder("provider-main-");
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", main, "-c", "user.name=t", "-c", "user.email=t@t", ...args]);
  git("init", "-q", "-b", "main");
  writeFileSync(join(main, "app.txt"), "one\n");
  git("add", "-A");
  git("commit", "-qm", "start");
  const dir = join(tempFolder("provider-work-"), "tree");
  git("worktree", "add", "-q", dir);
  return dir;
}

async function setUp() {
  const scene = await openScene();
  const gateway = async () => gatewayClient({ folder: scene.folder, url: scene.url, token: scene.adminToken });
  const provider = createSandboxRole({ aliases: {}, gateway });
  const dir = worktree();
  const ask = (prompt: string, more: object = {}) =>
    providerCall("implementer", { prompt, workspace: { mode: "worktree", dir }, timeoutMs: 60_000, ...more });
  return { scene, provider, dir, ask };
}

describe("an implementer in a sandbox of the gateway", () => {
  confined("the change comes back as a patch, the worktree is untouched, and the sandbox is gone", async () => {
    const { scene, provider, dir, ask } = await setUp();
    expect(await provider.examine?.()).toMatchObject({ installed: true });
    const { answer } = await provider.send(
      ask("RUN printf 'two\\n' > app.txt; printf 'new\\n' > added.txt"),
      new AbortController().signal,
    );
    const { outcome, patch, text } = await answer;
    expect(outcome).toBe("answered");
    expect(text).toContain("RUN");
    expect(readFileSync(join(dir, "app.txt"), "utf8")).toBe("one\n");
    execFileSync("git", ["-C", dir, "apply", "--check", "-"], { input: patch });
    expect(Buffer.from(patch ?? []).toString("utf8")).toMatch(/^\+two$/m);
    expect((await scene.gateway.deps.store.sessions()).map(({ status }) => status)).toEqual(["stopped"]);
  });

  confined("a call that is aborted or out of time ends with its sandbox", async () => {
    const { scene, provider, ask } = await setUp();
    const ending = new AbortController();
    const { answer } = await provider.send(ask("HANG"), ending.signal);
    ending.abort();
    expect(await answer).toMatchObject({ outcome: "aborted" });
    const late = await provider.send(ask("HANG", { callId: "call_2", timeoutMs: 50 }), new AbortController().signal);
    expect((await late.answer).outcome).toBe("timed_out");
    expect((await scene.gateway.deps.store.sessions()).map(({ status }) => status)).toEqual(["stopped", "stopped"]);
  });

  confined("a call is found again by its handle, and is not sent twice", async () => {
    const { scene, provider, ask } = await setUp();
    const call = ask("RUN printf 'two\\n' > app.txt");
    const handle = provider.handle?.(call) ?? "";
    await scene.ask("POST", "/api/configurations", { id: "c", name: "c", source: call.workspace.dir });
    await scene.ask("POST", "/api/sessions", {
      id: handle,
      kind: "coding",
      configurationId: "c",
      start: true,
    });
    await scene.ask("POST", `/api/sessions/${handle}/message`, { content: call.prompt });
    const pending = await provider.reattach?.(handle, call, new AbortController().signal);
    expect((await pending?.answer)?.outcome).toBe("answered");
    expect(await provider.reattach?.(handle, call, new AbortController().signal)).toBeUndefined();
  });

  it("without a gateway nothing is sent", async () => {
    const gateway = async () => gatewayClient({ folder: tempFolder("no-gateway-") });
    const provider = createSandboxRole({ aliases: {}, gateway });
    expect(await provider.examine?.()).toMatchObject({ installed: false, problem: "No gateway is running." });
    await expect(provider.send(providerCall("implementer"), new AbortController().signal)).rejects.toThrow(
      /No gateway/,
    );
    expect(provider.resolve("gpt-99")).toMatchObject({ ok: false });
  });
});
