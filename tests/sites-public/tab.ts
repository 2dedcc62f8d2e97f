// A tab of Chromium over its debugging pipe, with plain calls of the page's own DOM: no driver of the product has a part in it.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { removeFolder } from "../support/remove-folder.ts";

/** The browser that tests run, or undefined: then they are skipped by name. */
export const chromium = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
  .map((name) => spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim())
  .find((path) => path !== "");

interface Message {
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

export class Browser {
  readonly #folder = mkdtempSync(join(tmpdir(), "public-pages-"));
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #next = 0;

  constructor(args: readonly string[]) {
    const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    const common = [
      "--headless=new",
      "--remote-debugging-pipe",
      "--no-first-run",
      "--disable-gpu",
      "--disable-extensions",
    ];
    this.#process = spawn(chromium ?? "", [...common, ...sandbox, `--user-data-dir=${this.#folder}`, ...args], {
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    });
    let rest = "";
    (this.#process.stdio[4] as Readable).setEncoding("utf8").on("data", (text: string) => {
      const parts = `${rest}${text}`.split("\0");
      rest = parts.pop() ?? "";
      for (const part of parts) this.#take(JSON.parse(part) as Message);
    });
  }

  #take(message: Message): void {
    if (message.id === undefined) return;
    this.#waiting.get(message.id)?.(message);
    this.#waiting.delete(message.id);
  }

  async call(method: string, params: object, sessionId?: string): Promise<Record<string, unknown>> {
    this.#next += 1;
    const id = this.#next;
    const answered = new Promise<Message>((resolve) => {
      this.#waiting.set(id, resolve);
    });
    (this.#process.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    const { result, error } = await answered;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  }

  async open(url: string): Promise<Tab> {
    const { targetId } = await this.call("Target.createTarget", { url });
    const { sessionId } = await this.call("Target.attachToTarget", { targetId, flatten: true });
    return new Tab(this, String(sessionId));
  }

  async close(): Promise<void> {
    const gone = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill("SIGKILL");
    await gone;
    removeFolder(this.#folder);
  }
}

export class Tab {
  readonly #browser: Browser;
  readonly #session: string;
  constructor(browser: Browser, session: string) {
    this.#browser = browser;
    this.#session = session;
  }

  /** What an expression is in the page now. */
  async read(expression: string): Promise<unknown> {
    const params = { expression, returnByValue: true, awaitPromise: true, userGesture: true };
    const { result, exceptionDetails } = await this.#browser.call("Runtime.evaluate", params, this.#session);
    if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
    return (result as { readonly value?: unknown }).value;
  }

  /** Waits until an expression is true in the page. A page that is being loaded has no answer yet. */
  async until(expression: string): Promise<void> {
    for (let tries = 0; tries < 400; tries += 1) {
      if ((await this.read(expression).catch(() => false)) === true) return;
      await pause(50);
    }
    throw new Error(`never true: ${expression}\n${String(await this.read("document.body.innerHTML"))}`);
  }

  async has(selector: string): Promise<void> {
    await this.until(`document.querySelector(${JSON.stringify(selector)}) !== null`);
  }

  /** The text of the last element that matches. */
  async text(selector: string): Promise<unknown> {
    return this.read(`[...document.querySelectorAll(${JSON.stringify(selector)})].at(-1)?.textContent ?? null`);
  }

  async type(selector: string, text: string): Promise<void> {
    await this.has(selector);
    await this.read(`document.querySelector(${JSON.stringify(selector)}).focus()`);
    await this.#browser.call("Input.insertText", { text }, this.#session);
  }

  async press(selector: string): Promise<void> {
    await this.has(selector);
    await this.read(`[...document.querySelectorAll(${JSON.stringify(selector)})].at(-1).click()`);
  }

  async key(key: string): Promise<void> {
    for (const type of ["keyDown", "keyUp"]) {
      const params = { type, key, code: key, ...(key === "Enter" ? { text: "\r" } : {}) };
      await this.#browser.call("Input.dispatchKeyEvent", params, this.#session);
    }
  }

  /** A press of the mouse in the middle of an element. */
  async mouse(selector: string): Promise<void> {
    await this.has(selector);
    const where = `(() => { const r = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
      return { x: r.left + r.width / 2, y: r.top + r.height / 2 }; })()`;
    const at = (await this.read(where)) as object;
    for (const type of ["mousePressed", "mouseReleased"])
      await this.#browser.call(
        "Input.dispatchMouseEvent",
        { type, ...at, button: "left", clickCount: 1 },
        this.#session,
      );
  }

  async files(selector: string, paths: readonly string[]): Promise<void> {
    await this.has(selector);
    const expression = `document.querySelector(${JSON.stringify(selector)})`;
    const { result } = await this.#browser.call("Runtime.evaluate", { expression }, this.#session);
    const { objectId } = result as { readonly objectId: string };
    await this.#browser.call("DOM.setFileInputFiles", { files: paths, objectId }, this.#session);
  }

  async go(url: string): Promise<void> {
    await this.#browser.call("Page.navigate", { url }, this.#session);
  }
}
