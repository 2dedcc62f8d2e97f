// Attacks on the page: a real browser on another port or another site, links used twice, clients that send slowly.
import { spawnSync } from "node:child_process";
import { statSync, readdirSync, readFileSync } from "node:fs";
import { createServer, request as httpRequest, type Server } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { chromium as playwright, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { bin } from "../cli/program.ts";
import { chromium, closeBrowser, enter, launch, openStage, serve, type Served } from "./stage.ts";

let evil: Server;
let port = 0;
beforeAll(async () => {
  evil = createServer((_, response) => response.setHeader("content-type", "text/html").end("<title>evil</title>"));
  await new Promise<void>((resolve) => evil.listen(0, "127.0.0.1", resolve));
  ({ port } = evil.address() as AddressInfo);
});
afterAll(async () => {
  evil.close();
  await closeBrowser();
});

/** What a page got out of our server: a status, or that the browser kept the answer from it. */
const tries = async (page: Page, origin: string, bearer: string): Promise<Record<string, unknown>> =>
  page.evaluate(
    async ([to, token]) => {
      const body = JSON.stringify({ operation: "home", input: {} });
      const ask = async (path: string, init: RequestInit): Promise<string> => {
        try {
          const answer = await fetch(`${to}${path}`, init);
          return answer.type === "opaque" ? "opaque" : `read ${answer.status}`;
        } catch {
          return "kept away";
        }
      };
      const json = { "content-type": "application/json" };
      return {
        simple: await ask("/api/do", { method: "POST", mode: "no-cors", body }),
        json: await ask("/api/do", { method: "POST", headers: json, body }),
        bearer: await ask("/api/do", {
          method: "POST",
          headers: { ...json, authorization: `Bearer ${token}` },
          body,
        }),
        read: await ask("/api/live", {}),
        page: await ask("/", {}),
        script: await ask("/page.js", { mode: "no-cors" }),
      };
    },
    [origin, bearer] as const,
  );

const bearerOf = (page: Page): Promise<string> => page.evaluate(() => sessionStorage.getItem("thehood-bearer") ?? "");

/** A request exactly as written. */
function bare(
  origin: string,
  path: string,
  headers: Record<string, string>,
  method = "POST",
  body = "{}",
): Promise<number> {
  const { hostname, port: at } = new URL(origin);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port: at, path, method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

describe.skipIf(!chromium)("[B-21] the page is closed to others", () => {
  it("to a page on another port, whatever it sends, even with a stolen bearer", async () => {
    const served = await serve(openStage());
    const inside = await enter(served);
    const context = await (await launch()).newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    const said = await tries(page, served.origin, await bearerOf(inside));
    expect(said).toEqual({
      simple: "kept away",
      json: "kept away",
      bearer: "kept away",
      read: "kept away",
      page: "kept away",
      script: "kept away",
    });
  });

  it("to another site, and to a name of another site that is bound to this machine", async () => {
    const served = await serve(openStage());
    const inside = await enter(served);
    const browser = await playwright.launch({
      executablePath: chromium ?? "",
      args: [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), "--host-resolver-rules=MAP evil.test 127.0.0.1"],
    });
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.goto(`http://evil.test:${port}/`);
    const said = await tries(page, served.origin, await bearerOf(inside));
    expect(Object.values(said).every((one) => one === "kept away" || one === "opaque")).toBe(true);
    const rebound = await page.goto(served.origin.replace("127.0.0.1", "evil.test"));
    expect(rebound?.status()).toBe(403);
  });

  it("to a frame, and its own document runs no foreign script and keeps no cookie", async () => {
    const served = await serve(openStage());
    const context = await (await launch()).newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement("iframe"), { src: ${JSON.stringify(served.origin)} }))`,
    );
    await expect.poll(() => page.frames().length).toBe(2);
    await page.waitForTimeout(500);
    const texts = await Promise.all(page.frames().map((frame) => frame.content()));
    expect(texts.some((text) => text.includes("page.js"))).toBe(false);

    const own = await enter(served);
    const blocked = await own.evaluate(
      `(() => { try { document.body.innerHTML = "<img src=x>"; return "taken"; } catch { return "refused"; } })()`,
    );
    expect(blocked).toBe("refused");
    expect(await own.context().cookies()).toEqual([]);
    const answer = await own.goto(served.origin);
    const headers = answer?.headers() ?? {};
    expect(headers["content-security-policy"]).toContain("require-trusted-types-for 'script'");
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(headers["set-cookie"]).toBeUndefined();
    expect(headers["access-control-allow-origin"]).toBeUndefined();
    expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" });
  });

  it("a link lets in once; its second user reads what to do", async () => {
    const served = await serve(openStage());
    await enter(served);
    const context = await (await launch()).newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(served.link);
    await page.getByText("This link was used already").waitFor();
    await page.getByText("Press Enter in the terminal").waitFor();
  });
});

describe("[B-21] the server of the page", () => {
  const json = { "content-type": "application/json" };
  const login = async (served: Served): Promise<string> => {
    const answer = await fetch(`${served.origin}/api/login`, {
      method: "POST",
      headers: json,
      body: JSON.stringify({ token: served.link.split("#t=")[1] }),
    });
    return ((await answer.json()) as { bearer: string }).bearer;
  };

  it("turns away other hosts, origins, sites, types, sizes and methods, and moves nothing by GET", async () => {
    const stage = openStage();
    const served = await serve(stage);
    const { host } = new URL(served.origin);
    const authorization = `Bearer ${await login(served)}`;
    const good = { host, authorization, ...json };
    const home = JSON.stringify({ operation: "home" });
    expect(await bare(served.origin, "/api/do", good, "POST", home)).toBe(200);
    const cases: [Record<string, string>, number][] = [
      [{ ...good, host: "evil.test" }, 403],
      [{ ...good, host: "127.0.0.1" }, 403],
      [{ ...good, origin: `http://127.0.0.1:${Number(host.split(":")[1]) + 1}` }, 403],
      [{ ...good, origin: "null" }, 403],
      [{ ...good, "sec-fetch-site": "same-site" }, 403],
      [
        {
          ...good,
          "sec-fetch-site": "cross-site",
          "sec-fetch-mode": "navigate",
          "sec-fetch-dest": "document",
        },
        403,
      ],
      [{ ...good, "content-type": "text/plain" }, 415],
      [{ ...good, authorization: "Bearer x" }, 401],
      [{ host, ...json }, 401],
    ];
    for (const [headers, status] of cases)
      expect(await bare(served.origin, "/api/do", headers, "POST", home)).toBe(status);
    expect(await bare(served.origin, "/api/do", good, "POST", "x".repeat(200_000))).toBe(413);
    expect(await bare(served.origin, "/api/do", good, "GET", "")).toBe(405);
    expect(await bare(served.origin, "/api/do", good, "POST", "{nope")).toBe(400);
    expect(await bare(served.origin, "/../package.json", good, "GET", "")).toBe(404);
    const refused = (operation: string, more: object = {}) =>
      bare(served.origin, "/api/do", good, "POST", JSON.stringify({ operation, ...more }));
    for (const operation of ["exec", "config set", "mcp", "web", "oracle ask", "policy set", "patch apply"])
      expect(await refused(operation)).toBe(403);
    expect(await refused("home", { repo: "/" })).toBe(404);
    expect(await refused("approve", { input: { runId: "run_x", nonsense: 1 } })).toBe(400);
  });

  it("drops a client that sends its head slowly, and goes on serving", async () => {
    const served = await serve(openStage());
    const { hostname, port: at } = new URL(served.origin);
    const socket = connect(Number(at), hostname);
    socket.on("error", () => undefined);
    socket.write("POST /api/do HTTP/1.1\r\nHost: ");
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    socket.resume();
    await closed;
    expect(await bare(served.origin, "/", { host: `${hostname}:${at}` }, "GET", "")).toBe(200);
  });

  it("opens the browser through a file for its owner only, so that no argument list holds the word", async () => {
    const stage = openStage();
    const seen = join(stage.home, "seen");
    const bins = join(stage.home, "bin");
    spawnSync("mkdir", ["-p", bins]);
    spawnSync("sh", [
      "-c",
      `printf '#!/bin/sh\\necho "$@" > ${seen}\\n' > ${bins}/xdg-open && chmod +x ${bins}/xdg-open`,
    ]);
    const { spawn } = await import("node:child_process");
    const child = spawn(process.execPath, [bin, "web"], {
      cwd: stage.repo.dir,
      env: { ...stage.env, PATH: `${bins}:${stage.env["PATH"]}` },
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    await expect
      .poll(() => statSync(seen, { throwIfNoEntry: false })?.size ?? 0, { timeout: 120_000 })
      .toBeGreaterThan(0);
    const argument = readFileSync(seen, "utf8").trim();
    expect(argument).toMatch(/^file:\/\/.*\.html$/);
    const folder = join(stage.home, "config/state/open");
    const [name = ""] = readdirSync(folder);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(folder, name), "utf8")).toContain("#t=");
    child.kill("SIGTERM");
    await new Promise((resolve) => child.once("exit", resolve));
    expect(readdirSync(folder)).toEqual([]);
  });
});
