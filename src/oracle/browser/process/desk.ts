// Leases the tabs of the browser in the order of the requests; the others wait until one is free.
import type { Cdp } from "../cdp/client.ts";
import type { Ask, KeeperSettings, Reply } from "./protocol.ts";
import { type TabLease, Tabs } from "./tabs.ts";

type LeaseAsk = Extract<Ask, { ask: "lease" }>;

export interface Client {
  readonly id: number;
  readonly say: (reply: Reply) => void;
}

interface Queued {
  readonly client: Client;
  readonly id: number;
  readonly ask: LeaseAsk;
}

interface Browser {
  readonly cdp: Pick<Cdp, "send">;
  /** Whether the connection of a run is open. */
  readonly isHere: (client: number) => boolean;
  /** Called when a tab was closed. */
  readonly onFree: () => void;
}

export class TabDesk {
  readonly tabs: Tabs;
  readonly #browser: Browser;
  #queue: Queued[] = [];
  #opening = 0;

  constructor(settings: KeeperSettings, browser: Browser) {
    this.tabs = new Tabs(settings);
    this.#browser = browser;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** Tabs that are open or being opened. */
  get open(): number {
    return this.tabs.all.length + this.#opening;
  }

  take(queued: Queued): void {
    this.#queue.push(queued);
    this.#serve();
  }

  /** After a connection closed its tab waits for a successor. */
  leave(client: Client): void {
    this.#queue = this.#queue.filter((queued) => queued.client !== client);
    this.tabs.orphan(client.id, Date.now());
  }

  /** Leases tabs in the order of the requests while tabs are free. */
  #serve(): void {
    const queued = this.#queue[0];
    if (!queued) return;
    const { client, ask, id } = queued;
    const taken = this.tabs.takeOver(ask.key, client.id, ask.owner, Date.now());
    if (taken) {
      this.#queue.shift();
      client.say({ id, result: { targetId: taken.targetId, taken: true } });
      return this.#serve();
    }
    const spare = this.tabs.hasRoom(this.#opening) ? undefined : this.tabs.spare();
    if (spare) void this.close(spare);
    if (!this.tabs.hasRoom(this.#opening)) return;
    this.#queue.shift();
    this.#opening += 1;
    void this.#open(queued).finally(() => {
      this.#opening -= 1;
      this.#serve();
    });
  }

  async #open({ client, ask, id }: Queued): Promise<void> {
    try {
      const { targetId } = await this.#browser.cdp.send("Target.createTarget", {
        url: "about:blank",
        newWindow: true,
      });
      const { sessionId } = await this.#browser.cdp.send("Target.attachToTarget", { targetId, flatten: true });
      const lease = {
        key: ask.key,
        owner: ask.owner,
        client: client.id,
        targetId: String(targetId),
        sessionId: String(sessionId),
      };
      this.tabs.add(lease, Date.now());
      // The run may have died while its tab was opened.
      if (!this.#browser.isHere(client.id)) this.tabs.orphan(client.id, Date.now());
      client.say({ id, result: { targetId, taken: false } });
    } catch (error) {
      client.say({ id, error: error instanceof Error ? error.message : String(error) });
    }
  }

  async close(lease: TabLease): Promise<void> {
    this.tabs.drop(lease.targetId);
    this.#browser.onFree();
    // The tab may be closed already.
    await this.#browser.cdp.send("Target.closeTarget", { targetId: lease.targetId }).catch(() => undefined);
    this.#serve();
  }
}
