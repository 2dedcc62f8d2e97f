// A browser that the user runs and names: our own tab in it is used and closed, and everything else stays as it was.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, connect as connectTo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitFor } from "../oracle/wait.ts";
import { StandIns } from "../sites/server.ts";
import { Stage, chromium } from "./stage.ts";

interface Target {
  readonly id: string;
  readonly type: string;
  readonly url: string;
}

/** A door as Chrome's toggle opens it: WebSockets pass, every other request is refused. */
async function toggledDoor(browserPort: number) {
  let refused = 0;
  const server = createServer((client) => {
    client.on("error", () => client.destroy());
    client.once("data", (first) => {
      if (!/^upgrade: websocket/im.test(first.toString("latin1"))) {
        refused += 1;
        return void client.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");
      }
      const browser = connectTo(browserPort, "127.0.0.1");
      browser.on("error", () => client.destroy());
      browser.write(first);
      client.pipe(browser).pipe(client);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port, refused: () => refused, close: () => server.close() };
}

describe.skipIf(chromium === undefined)("a browser that the user runs", () => {
  let sites: StandIns;
  let stage: Stage;
  let browser: ChildProcess;
  let port = "";
  const ask = async (path: string, method = "GET") =>
    await (await fetch(`http://127.0.0.1:${port}/json/${path}`, { method })).json();
  const pages = async () => ((await ask("list")) as Target[]).filter(({ type }) => type === "page");

  beforeAll(async () => {
    sites = await new StandIns().listen();
    stage = new Stage(sites);
    const profile = join(stage.dir, "users-profile");
    mkdirSync(profile);
    const root = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    const args = ["--headless=new", "--disable-gpu", "--remote-debugging-port=0", `--user-data-dir=${profile}`];
    browser = spawn(chromium ?? "", [...args, ...root, ...sites.browserArgs.split(/\s+(?=--)/), "about:blank"], {
      stdio: "ignore",
    });
    const portFile = join(profile, "DevToolsActivePort");
    await waitFor(() => existsSync(portFile) && readFileSync(portFile, "utf8").includes("\n"), "the browser's port");
    port = readFileSync(portFile, "utf8").split("\n")[0] ?? "";
    stage.env["ORACLE_BROWSER_ATTACH"] = port;
    // The user logs in, in a tab of their own that stays open.
    await ask(`new?${encodeURIComponent("https://chatgpt.com/standin/login?to=/")}`, "PUT");
    for (let tries = 0; !(await pages()).some(({ url }) => url === "https://chatgpt.com/"); tries += 1) {
      if (tries > 600) throw new Error("the user could not log in");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }, 180_000);
  afterAll(async () => {
    await stage.run(["browser", "stop"]);
    browser.kill("SIGKILL");
    stage.dispose();
    await sites.close();
  });

  it("[T-4] is used on request, in a tab of our own that is gone afterwards", async () => {
    const before = (await pages()).map(({ id }) => id).sort();
    const { result, answer, posts } = await stage.ask("chatgpt", { answers: ["From your own browser."] });
    expect(result, JSON.stringify(result.error)).toMatchObject({ status: "success" });
    expect(answer).toBe("From your own browser.");
    expect(posts).toHaveLength(1);
    expect((await pages()).map(({ id }) => id).sort()).toEqual(before);
    // No browser of ours was started, and no profile of ours was made.
    expect(existsSync(join(stage.folder, "profile"))).toBe(false);
  });

  it("stays when oracle's own part is stopped", async () => {
    await stage.ask("chatgpt", { answers: ["Again."] });
    expect((await stage.run(["browser", "stop"])).code).toBe(0);
    expect(browser.exitCode).toBeNull();
    expect((await pages()).length).toBeGreaterThan(0);
  });

  it("the Chrome that you use, by its own toggle: its profile names the address, and no HTTP tells it", async () => {
    const path = new URL(((await ask("version")) as { webSocketDebuggerUrl: string }).webSocketDebuggerUrl).pathname;
    const door = await toggledDoor(Number(port));
    const config = join(stage.dir, "config");
    mkdirSync(join(config, "google-chrome"), { recursive: true });
    writeFileSync(join(config, "google-chrome", "DevToolsActivePort"), `${door.port}\n${path}`);
    try {
      const env = { ORACLE_BROWSER_ATTACH: "chrome", XDG_CONFIG_HOME: config };
      const { result, answer, posts } = await stage.ask("chatgpt", { answers: ["By the toggle."] }, [], env);
      expect(result, JSON.stringify(result.error)).toMatchObject({ status: "success" });
      expect(answer).toBe("By the toggle.");
      expect(posts).toHaveLength(1);
      expect(door.refused()).toBe(0);
      expect((await stage.run(["browser", "stop"], { env })).code).toBe(0);
    } finally {
      door.close();
    }
  });

  it("without a browser that takes connections the toggle is named", async () => {
    const ran = await stage.run(["-p", "x y", "--browser-url", "https://chatgpt.com/"], {
      env: { ORACLE_BROWSER_ATTACH: "chrome", XDG_CONFIG_HOME: join(stage.dir, "nowhere") },
    });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("chrome://inspect/#remote-debugging");
  });

  it("a port without a browser is reported, and nothing is sent", async () => {
    const { result, posts } = await stage.ask("chatgpt", {}, [], { ORACLE_BROWSER_ATTACH: "1" });
    expect(result).toMatchObject({ status: "error", error: { code: "browser_gone" } });
    expect(posts).toEqual([]);
    const bad = await stage.run(["-p", "x y", "--browser"], {
      env: { ORACLE_BROWSER_ATTACH: "elsewhere:9222" },
    });
    expect(bad.stderr).toContain("is not a port of this machine");
  });
});
