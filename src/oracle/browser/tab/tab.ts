// One leased tab: page code, keys, clicks, files and network traffic. A lost tab ends every wait.
import { FailureError, fail } from "../../../core/contract/index.ts";
import type { Params } from "../cdp/client.ts";
import { RefusedError, type Gone, type KeeperLink } from "../process/connect.ts";
import type { Aim, ClipboardCode, PageCode } from "../shapes.ts";
import { Traffic } from "./traffic.ts";

export interface PagePrograms {
  /** Runs in an isolated JavaScript world. */
  readonly page: string;
  /** Runs in the page's own world, only while a copy button is pressed. */
  readonly clipboard: string;
}

const goneFailures = {
  browser: ["browser_gone", "The browser ended."],
  keeper: ["browser_gone", "The process that keeps the browser ended."],
  closed: ["browser_gone", "The tab was closed."],
  expired: ["browser_gone", "The tab was taken back because its run gave no sign of life."],
  crashed: ["page_crashed", "The page crashed."],
} as const;

/** A slow page answers within this time. */
const answerMs = 60_000;
const unanswered = new FailureError({
  code: "page_crashed",
  message: "The page does not answer any more.",
  remedy: "If the message was sent, fetch the answer with: oracle restart SESSION. It is not sent again.",
});

export class Tab {
  readonly #link: KeeperLink;
  readonly #programs: PagePrograms;
  readonly #signal: AbortSignal;
  readonly traffic = new Traffic();
  #deps: Promise<number> | null = null;
  #lost: FailureError | null = null;
  #onChooser: ((backendNodeId: number) => void) | null = null;

  constructor(link: KeeperLink, programs: PagePrograms, signal: AbortSignal) {
    this.#link = link;
    this.#programs = programs;
    this.#signal = signal;
    link.onEvent = (method, params) => this.#event(method, params);
    link.onGone = (how) => this.#lose(how);
    if (link.gone !== null) this.#lose(link.gone);
  }

  async prepare(): Promise<void> {
    for (const method of ["Page.enable", "Network.enable", "Inspector.enable"]) await this.cdp(method);
    await this.cdp("Emulation.setFocusEmulationEnabled", { enabled: true });
  }

  get lost(): FailureError | null {
    return this.#lost;
  }

  async cdp(method: string, params: Params = {}): Promise<Params> {
    if (this.#lost) throw this.#lost;
    if (this.#signal.aborted) fail("interrupted", "Stopped.");
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(unanswered), answerMs);
    });
    try {
      return await Promise.race([this.#link.ask({ ask: "cdp", method, params }), late]);
    } catch (error) {
      throw this.#lost ?? error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Calls a function of the page code, which is injected again after a navigation. */
  async page<Name extends keyof PageCode>(
    name: Name,
    ...args: Parameters<PageCode[Name]>
  ): Promise<Awaited<ReturnType<PageCode[Name]>>> {
    const expression = `thehoodPage.${name}(${args.map((arg) => JSON.stringify(arg)).join(",")})`;
    for (let tries = 0; ; tries += 1) {
      try {
        const contextId = await (this.#deps ??= this.#enter());
        return (await this.#evaluate(expression, { contextId })) as Awaited<ReturnType<PageCode[Name]>>;
      } catch (error) {
        if (!(error instanceof RefusedError) || tries >= 5) throw error;
        // The page navigated between two calls.
        this.#deps = null;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  async clipboard(name: keyof ClipboardCode): Promise<string | null> {
    if (name === "arm") await this.#evaluate(this.#programs.clipboard, {});
    return (await this.#evaluate(`thehoodClipboard.${name}()`, {})) as string | null;
  }

  async goto(url: string): Promise<void> {
    this.traffic.home = new URL(url).host;
    const { errorText } = await this.cdp("Page.navigate", { url });
    this.#deps = null;
    if (typeof errorText === "string" && errorText !== "" && !errorText.includes("ERR_ABORTED"))
      fail("network_lost", `${new URL(url).host} cannot be reached (${errorText}).`, {
        remedy: "Check the network and try again.",
      });
  }

  async press({ x, y }: Aim): Promise<void> {
    const at = { x, y, button: "left", clickCount: 1 };
    await this.cdp("Input.dispatchMouseEvent", { type: "mouseMoved", x, y });
    await this.cdp("Input.dispatchMouseEvent", { type: "mousePressed", ...at });
    await this.cdp("Input.dispatchMouseEvent", { type: "mouseReleased", ...at });
  }

  async hover({ x, y }: Aim): Promise<void> {
    await this.cdp("Input.dispatchMouseEvent", { type: "mouseMoved", x, y });
  }

  async key(key: string, code: number): Promise<void> {
    const named = { key, code: key, windowsVirtualKeyCode: code };
    await this.cdp("Input.dispatchKeyEvent", { type: "rawKeyDown", ...named });
    await this.cdp("Input.dispatchKeyEvent", { type: "keyUp", ...named });
  }

  async type(text: string): Promise<void> {
    await this.cdp("Input.insertText", { text });
  }

  /** Gives files to an input that is in the page. */
  async giveFiles(selector: string, index: number, files: readonly string[]): Promise<void> {
    const contextId = await (this.#deps ??= this.#enter());
    const expression = `thehoodPage.element(${JSON.stringify(selector)},${index})`;
    const { result } = await this.cdp("Runtime.evaluate", { expression, contextId });
    const { objectId } = result as { objectId?: string };
    if (objectId === undefined) throw new RefusedError(`${selector} is gone`);
    await this.cdp("DOM.setFileInputFiles", { files, objectId });
  }

  /** Gives files to the chooser that `open` makes the page open; false when it opens none. */
  async giveToChooser(open: () => Promise<void>, files: readonly string[], waitMs: number): Promise<boolean> {
    await this.cdp("Page.setInterceptFileChooserDialog", { enabled: true });
    const chosen = new Promise<number | null>((resolve) => {
      const timer = setTimeout(() => resolve(null), waitMs);
      this.#onChooser = (backendNodeId) => {
        clearTimeout(timer);
        resolve(backendNodeId);
      };
    });
    try {
      await open();
      const backendNodeId = await chosen;
      if (backendNodeId === null) return false;
      await this.cdp("DOM.setFileInputFiles", { files, backendNodeId });
      return true;
    } finally {
      this.#onChooser = null;
      await this.cdp("Page.setInterceptFileChooserDialog", { enabled: false });
    }
  }

  async screenshot(): Promise<Buffer> {
    const { data } = await this.cdp("Page.captureScreenshot", { format: "png" });
    return Buffer.from(String(data), "base64");
  }

  /** Closes the tab and the connection. */
  async close(): Promise<void> {
    if (this.#lost === null && this.#link.gone === null)
      await this.#link.ask({ ask: "release" }).catch(() => undefined);
    this.#link.close();
  }

  async #enter(): Promise<number> {
    const { frameTree } = await this.cdp("Page.getFrameTree");
    const { frame } = frameTree as { frame: { id: string } };
    const { executionContextId } = await this.cdp("Page.createIsolatedWorld", {
      frameId: frame.id,
      worldName: "thehood",
    });
    await this.#evaluate(this.#programs.page, { contextId: executionContextId });
    return executionContextId as number;
  }

  async #evaluate(expression: string, where: Params): Promise<unknown> {
    const { result, exceptionDetails } = await this.cdp("Runtime.evaluate", {
      expression,
      ...where,
      returnByValue: true,
      awaitPromise: true,
      userGesture: true,
    });
    if (exceptionDetails !== undefined) {
      const { exception, text } = exceptionDetails as { exception?: { description?: string }; text: string };
      throw new Error(`page code failed: ${exception?.description ?? text}`);
    }
    return (result as { value?: unknown }).value ?? null;
  }

  #event(method: string, params: Params): void {
    if (method.startsWith("Network.")) this.traffic.take(method, params, Date.now());
    else if (method === "Inspector.targetCrashed") this.#lose("crashed");
    else if (method === "Page.frameNavigated") {
      if ((params["frame"] as { parentId?: string }).parentId === undefined) this.traffic.arrive();
    } else if (method === "Page.fileChooserOpened") this.#onChooser?.(params["backendNodeId"] as number);
    else if (method === "Page.javascriptDialogOpening") {
      // "Leave this page?" is answered with yes, every other dialog with no.
      const accept = params["type"] === "beforeunload";
      this.cdp("Page.handleJavaScriptDialog", { accept }).catch(() => undefined);
    }
  }

  #lose(how: Gone): void {
    const [code, message] = goneFailures[how];
    this.#lost ??= new FailureError({
      code,
      message,
      remedy: "If the message was sent, fetch the answer with: oracle restart SESSION. It is not sent again.",
    });
  }
}
