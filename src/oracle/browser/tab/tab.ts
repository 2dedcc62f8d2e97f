// One leased tab: page code, keys, clicks, files and network traffic. A lost tab ends every wait.
import { type FailureError, fail } from "../../../core/contract/index.ts";
import type { Params } from "../cdp/client.ts";
import { RefusedError, type Gone, type KeeperLink } from "../process/connect.ts";
import type { Ask, Downloads, ForeignFrames } from "../process/protocol.ts";
import type { Marks } from "../marks.ts";
import type { Aim, ClipboardCode, PageCode, ReportLook } from "../shapes.ts";
import { lostTab, lostWith } from "./lost.ts";
import { reportsIn } from "./reports.ts";
import { Traffic } from "./traffic.ts";

export interface PagePrograms {
  /** Runs in an isolated JavaScript world. */
  readonly page: string;
  /** Runs in the page's own world, only while a copy button is pressed. */
  readonly clipboard: string;
}

/** A slow page answers within this time. */
const answerMs = 60_000;
const unanswered = lostWith("page_crashed", "The page does not answer any more.");

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
    return await this.#asked({ ask: "cdp", method, params });
  }

  async #frameCdp(method: string, params: Params, frame: string | undefined): Promise<Params> {
    return await this.#asked({ ask: "cdp", method, params, ...(frame === undefined ? {} : { frame }) });
  }

  async #asked(ask: Ask): Promise<Params> {
    if (this.#lost) throw this.#lost;
    if (this.#signal.aborted) fail("interrupted", "Stopped.");
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(unanswered), answerMs);
    });
    try {
      return await Promise.race([this.#link.ask(ask), late]);
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
    const placed = await this.#link.place(files);
    const contextId = await (this.#deps ??= this.#enter());
    const expression = `thehoodPage.element(${JSON.stringify(selector)},${index})`;
    const { result } = await this.cdp("Runtime.evaluate", { expression, contextId });
    const { objectId } = result as { objectId?: string };
    if (objectId === undefined) throw new RefusedError(`${selector} is gone`);
    await this.cdp("DOM.setFileInputFiles", { files: placed, objectId });
  }

  /** Gives files to the chooser that `open` makes the page open; false when it opens none. */
  async giveToChooser(open: () => Promise<void>, files: readonly string[], waitMs: number): Promise<boolean> {
    const placed = await this.#link.place(files);
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
      await this.cdp("DOM.setFileInputFiles", { files: placed, backendNodeId });
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

  /** The reports in frames whose address or name matches, of this site and of others. */
  async reports(marks: Marks): Promise<ReportLook[]> {
    if (marks.reportFrame.length === 0) return [];
    const { frames } = (await this.#asked({ ask: "frames" })) as Params & ForeignFrames;
    return await reportsIn(frames, marks, this.#programs.page, {
      cdp: (method, params, frame) => this.#frameCdp(method, params, frame),
      evaluate: (expression, where, frame) => this.#evaluateIn(expression, where, frame),
    });
  }

  /** A resource that the page has loaded; null when the browser no longer has it. */
  async loaded(url: string): Promise<Buffer | null> {
    const { frameTree } = await this.cdp("Page.getFrameTree");
    const { frame } = frameTree as { frame: { id: string } };
    try {
      const { content, base64Encoded } = await this.cdp("Page.getResourceContent", { frameId: frame.id, url });
      return Buffer.from(String(content), base64Encoded === true ? "base64" : "utf8");
    } catch (error) {
      if (error instanceof RefusedError) return null;
      throw error;
    }
  }

  /** Files that the page downloads from now on are for this run. */
  async catchDownloads(): Promise<void> {
    await this.#asked({ ask: "catch" });
  }

  async downloads(): Promise<Downloads> {
    return (await this.#asked({ ask: "downloads" })) as Params & Downloads;
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

  #evaluate = (expression: string, where: Params): Promise<unknown> => this.#evaluateIn(expression, where, undefined);

  async #evaluateIn(expression: string, where: Params, frame: string | undefined): Promise<unknown> {
    const params = { expression, ...where, returnByValue: true, awaitPromise: true, userGesture: true };
    const { result, exceptionDetails } = await this.#frameCdp("Runtime.evaluate", params, frame);
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
    this.#lost ??= lostTab(how);
  }
}
