// Owns one browser and leases its tabs. A run reaches its own tab through the keeper and nothing else. When the run dies,
// its connection closes; when the keeper dies, its pipe closes and the browser exits.
import process from "node:process";
import { Cdp, type CdpEvent, type Params } from "../cdp/client.ts";
import { attachToBrowser, launch, type BrowserProcess } from "./launch.ts";
import {
  type Ask,
  type KeeperSettings,
  type KeeperView,
  type Reply,
  type Request,
  allowedMethods,
  forwardedEvents,
} from "./protocol.ts";
import { type TabLease, Tabs } from "./tabs.ts";

type LeaseAsk = Extract<Ask, { ask: "lease" }>;

interface Client {
  readonly id: number;
  readonly say: (reply: Reply) => void;
}

interface Queued {
  readonly client: Client;
  readonly id: number;
  readonly ask: LeaseAsk;
}

/** Events that report the end of a tab: of all tabs, or only of attached ones. */
const endings = new Set(["Target.targetDestroyed", "Target.targetCrashed", "Target.detachedFromTarget"]);

export class Keeper {
  readonly #settings: KeeperSettings;
  readonly #tabs: Tabs;
  readonly #held: BrowserProcess;
  readonly #cdp: Cdp;
  readonly #clients = new Map<number, Client>();
  readonly #onEnd: (why: string) => void;
  #queue: Queued[] = [];
  #opening = 0;
  #product = "";
  #idleSince = Date.now();
  #ended = false;
  readonly #timer: NodeJS.Timeout;

  constructor(settings: KeeperSettings, onEnd: (why: string) => void) {
    this.#settings = settings;
    this.#onEnd = onEnd;
    this.#tabs = new Tabs(settings);
    const { attachPort } = settings.launch;
    this.#held = attachPort === undefined ? launch(settings.launch) : attachToBrowser(attachPort);
    this.#cdp = new Cdp(this.#held.input, this.#held.out, (event) => this.#forward(event));
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

  /** After a connection closed its tab waits for a successor. */
  leave(client: Client): void {
    this.#clients.delete(client.id);
    this.#queue = this.#queue.filter((queued) => queued.client !== client);
    this.#tabs.orphan(client.id, Date.now());
    this.#idleSince = Date.now();
  }

  take(client: Client, request: Request): void {
    const { id } = request;
    this.#tabs.renew(client.id, Date.now());
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
    if (request.ask === "release") {
      const lease = this.#tabs.of(client.id);
      if (lease) await this.#close(lease);
      return {};
    }
    if (request.ask === "lease") {
      this.#queue.push({ client, id: request.id, ask: request });
      this.#serve();
      return undefined;
    }
    const lease = this.#tabs.of(client.id);
    if (!lease) throw new Error("no tab is leased");
    if (!allowedMethods.has(request.method)) throw new Error(`${request.method} is not allowed`);
    return await this.#cdp.send(request.method, request.params, lease.sessionId);
  }

  /** Leases tabs in the order of the requests while tabs are free. */
  #serve(): void {
    const queued = this.#queue[0];
    if (!queued) return;
    const { client, ask, id } = queued;
    const taken = this.#tabs.takeOver(ask.key, client.id, ask.owner, Date.now());
    if (taken) {
      this.#queue.shift();
      client.say({ id, result: { targetId: taken.targetId, taken: true } });
      return this.#serve();
    }
    const spare = this.#tabs.hasRoom(this.#opening) ? undefined : this.#tabs.spare();
    if (spare) void this.#close(spare);
    if (!this.#tabs.hasRoom(this.#opening)) return;
    this.#queue.shift();
    this.#opening += 1;
    void this.#open(queued).finally(() => {
      this.#opening -= 1;
      this.#serve();
    });
  }

  async #open({ client, ask, id }: Queued): Promise<void> {
    try {
      const { targetId } = await this.#cdp.send("Target.createTarget", {
        url: "about:blank",
        newWindow: true,
      });
      const { sessionId } = await this.#cdp.send("Target.attachToTarget", { targetId, flatten: true });
      const lease = {
        key: ask.key,
        owner: ask.owner,
        client: client.id,
        targetId: String(targetId),
        sessionId: String(sessionId),
      };
      this.#tabs.add(lease, Date.now());
      // The run may have died while its tab was opened.
      if (!this.#clients.has(client.id)) this.#tabs.orphan(client.id, Date.now());
      client.say({ id, result: { targetId, taken: false } });
    } catch (error) {
      client.say({ id, error: error instanceof Error ? error.message : String(error) });
    }
  }

  async #close(lease: TabLease): Promise<void> {
    this.#tabs.drop(lease.targetId);
    this.#idleSince = Date.now();
    // The tab may be closed already.
    await this.#cdp.send("Target.closeTarget", { targetId: lease.targetId }).catch(() => undefined);
    this.#serve();
  }

  #forward({ method, params, sessionId }: CdpEvent): void {
    if (endings.has(method)) {
      const lost = this.#tabs.byTarget(params["targetId"]);
      if (!lost) return;
      const gone = method === "Target.targetCrashed" ? "crashed" : "closed";
      if (lost.client !== null) this.#clients.get(lost.client)?.say({ gone });
      // A crashed tab does not respond, so it is not given to a successor.
      void this.#close(lost);
      return;
    }
    if (!forwardedEvents.has(method)) return;
    const client = this.#tabs.bySession(sessionId)?.client ?? null;
    if (client !== null) this.#clients.get(client)?.say({ event: method, params: withoutHeaders(params) });
  }

  #sweep(): void {
    const now = Date.now();
    for (const lease of this.#tabs.expired(now)) {
      if (lease.client !== null) this.#clients.get(lease.client)?.say({ gone: "expired" });
      void this.#close(lease);
    }
    const busy = this.#tabs.all.length + this.#clients.size + this.#opening > 0;
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
      tabs: this.#tabs.all.map(({ key, owner, targetId, since, client }) => ({
        key,
        owner,
        targetId,
        since: new Date(since).toISOString(),
        state: client === null ? "orphan" : "in_use",
      })),
      waiting: this.#queue.length,
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
    await Promise.race([Promise.all(this.#tabs.all.map((lease) => this.#close(lease))), late]);
    this.#held.kill();
    this.#over(why);
  }

  #over(why: string): void {
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
