// Owns one browser and leases its tabs. A run reaches its own tab through the keeper and nothing else. When the run dies,
// its connection closes; when the keeper dies, its pipe closes and the browser exits.
import { join } from "node:path";
import process from "node:process";
import { Cdp, type CdpEvent, type Params } from "../cdp/client.ts";
import { type Client, TabDesk } from "./desk.ts";
import { DownloadFolder } from "./downloads.ts";
import { FrameSessions } from "./frames.ts";
import { attachToBrowser, launch, type BrowserProcess } from "./launch.ts";
import { type KeeperSettings, type KeeperView, type Request, allowedMethods, forwardedEvents } from "./protocol.ts";
import type { TabLease } from "./tabs.ts";

/** Events that report the end of a tab: of all tabs, or only of attached ones. */
const endings = new Set(["Target.targetDestroyed", "Target.targetCrashed", "Target.detachedFromTarget"]);

export class Keeper {
  readonly #settings: KeeperSettings;
  readonly #desk: TabDesk;
  readonly #downloads: DownloadFolder;
  readonly #frames = new FrameSessions();
  readonly #held: BrowserProcess;
  readonly #cdp: Cdp;
  readonly #clients = new Map<number, Client>();
  readonly #onEnd: (why: string) => void;
  #product = "";
  #idleSince = Date.now();
  #ended = false;
  readonly #timer: NodeJS.Timeout;

  constructor(settings: KeeperSettings, onEnd: (why: string) => void) {
    this.#settings = settings;
    this.#onEnd = onEnd;
    this.#downloads = new DownloadFolder(join(settings.folder, "downloads"));
    const { attach } = settings.launch;
    this.#held = attach === undefined ? launch(settings.launch) : attachToBrowser(attach);
    this.#cdp = new Cdp(this.#held.input, this.#held.out, (event) => this.#forward(event));
    this.#desk = new TabDesk(settings, {
      cdp: this.#cdp,
      isHere: (client) => this.#clients.has(client),
      onFree: () => {
        this.#idleSince = Date.now();
      },
    });
    this.#held.onEnd((why) => this.end(why));
    this.#timer = setInterval(() => this.#sweep(), Math.min(1_000, settings.idleMs, settings.orphanMs));
  }

  async ready(): Promise<void> {
    const { product } = await this.#cdp.send("Browser.getVersion");
    this.#product = String(product);
    this.#idleSince = Date.now();
    // In the user's own browser only events of leased tabs are received.
    if (this.#held.own) await this.#cdp.send("Target.setDiscoverTargets", { discover: true });
  }

  join(client: Client): void {
    this.#clients.set(client.id, client);
  }

  leave(client: Client): void {
    this.#clients.delete(client.id);
    this.#desk.leave(client);
    this.#idleSince = Date.now();
  }

  take(client: Client, request: Request): void {
    const { id } = request;
    this.#desk.tabs.renew(client.id, Date.now());
    this.#answer(client, request).then(
      (result) => result && client.say({ id, result }),
      (error: unknown) => client.say({ id, error: error instanceof Error ? error.message : String(error) }),
    );
  }

  async #answer(client: Client, request: Request): Promise<Params | undefined> {
    if (request.ask === "view") return { view: this.#view() };
    if (request.ask === "stop") {
      setTimeout(() => this.end("stopped"), 10);
      return {};
    }
    if (request.ask === "hello" || request.ask === "file") throw new Error("this is for another machine only");
    if (request.ask === "release") {
      const lease = this.#desk.tabs.of(client.id);
      if (lease) await this.#desk.close(lease);
      return {};
    }
    if (request.ask === "lease") {
      this.#desk.take({ client, id: request.id, ask: request });
      return undefined;
    }
    const lease = this.#desk.tabs.of(client.id);
    if (!lease) throw new Error("no tab is leased");
    if (request.ask === "catch") return await this.#catchDownloads();
    if (request.ask === "downloads") return { ...this.#downloads.of(lease.targetId) };
    if (request.ask === "frames") return await this.#foreignFrames(lease);
    const { method, params, frame } = request;
    if (!allowedMethods.has(method)) throw new Error(`${method} is not allowed`);
    if (frame !== undefined && !this.#frames.isOf(lease.sessionId, frame)) throw new Error("there is no such frame");
    return await this.#cdp.send(method, params, frame ?? lease.sessionId);
  }

  async #foreignFrames({ sessionId }: TabLease): Promise<Params> {
    const params = { autoAttach: true, waitForDebuggerOnStart: false, flatten: true };
    await this.#cdp.send("Target.setAutoAttach", params, sessionId);
    return { frames: this.#frames.of(sessionId) };
  }

  /** The user's own browser keeps its own way with downloads. */
  async #catchDownloads(): Promise<Params> {
    if (!this.#held.own) throw new Error("files stay in the page: this browser is the user's own");
    return await this.#cdp.send("Browser.setDownloadBehavior", this.#downloads.behavior);
  }

  #forward(event: CdpEvent): void {
    const { method, params, sessionId } = event;
    this.#downloads.take(event);
    this.#frames.take(event);
    if (endings.has(method)) {
      const lost = this.#desk.tabs.byTarget(params["targetId"]);
      if (!lost) return;
      const gone = method === "Target.targetCrashed" ? "crashed" : "closed";
      if (lost.client !== null) this.#clients.get(lost.client)?.say({ gone });
      // A crashed tab does not respond, so it is not given to a successor.
      void this.#desk.close(lost);
      return;
    }
    if (!forwardedEvents.has(method)) return;
    const client = this.#desk.tabs.bySession(sessionId)?.client ?? null;
    if (client !== null) this.#clients.get(client)?.say({ event: method, params: withoutHeaders(params) });
  }

  #sweep(): void {
    const now = Date.now();
    for (const lease of this.#desk.tabs.expired(now)) {
      if (lease.client !== null) this.#clients.get(lease.client)?.say({ gone: "expired" });
      void this.#desk.close(lease);
    }
    const busy = this.#desk.open + this.#clients.size > 0;
    // A browser that is still starting is not idle.
    if (busy || this.#product === "") this.#idleSince = now;
    else if (now - this.#idleSince >= this.#settings.idleMs) this.end("the browser is idle");
  }

  #view(): KeeperView {
    return {
      pid: process.pid,
      browserPid: this.#held.pid,
      product: this.#product,
      mode: this.#settings.launch.mode,
      tabs: this.#desk.tabs.all.map(({ key, owner, targetId, since, client }) => ({
        key,
        owner,
        targetId,
        since: new Date(since).toISOString(),
        state: client === null ? "orphan" : "in_use",
      })),
      waiting: this.#desk.waiting,
      maxTabs: this.#settings.maxTabs,
    };
  }

  /** Closes the browser in order, so that it writes its profile; one that does not close is killed. */
  end(why: string): void {
    if (this.#ended) return;
    this.#ended = true;
    clearInterval(this.#timer);
    for (const { say } of this.#clients.values()) say({ gone: "browser" });
    if (!this.#held.alive) return this.#over(why);
    if (!this.#held.own) return void this.#leaveBrowser(why);
    const killer = setTimeout(() => this.#held.kill(), 5_000);
    this.#held.onEnd(() => {
      clearTimeout(killer);
      this.#over(why);
    });
    // The browser may be ending already.
    this.#cdp.send("Browser.close").catch(() => undefined);
  }

  /** Closes the leased tabs; everything else in the user's browser stays as it is. */
  async #leaveBrowser(why: string): Promise<void> {
    const late = new Promise((resolve) => setTimeout(resolve, 3_000));
    await Promise.race([Promise.all(this.#desk.tabs.all.map((lease) => this.#desk.close(lease))), late]);
    this.#held.kill();
    this.#over(why);
  }

  #over(why: string): void {
    this.#downloads.clear();
    this.#cdp.end(why);
    this.#onEnd(why);
  }
}

/** A request's headers carry cookies and tokens: they stay in the browser. */
function withoutHeaders(params: Params): Params {
  const { requestId, type, request, ...rest } = params;
  if (request === undefined) return params;
  const { method, url } = request as { method?: string; url?: string };
  const { timestamp } = rest;
  return { requestId, type, timestamp, request: { method, url } };
}
