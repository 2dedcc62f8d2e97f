// The network traffic of the tab, by counts and times only: whether a message may have been sent, and whether an answer
// still streams. No URL, header or content is stored.
import type { Params } from "../cdp/client.ts";

interface Flow {
  readonly began: number;
  lastData: number;
  /** To the page's own hosts. */
  readonly own: boolean;
  /** It received data, or sends data, and is the page's own; other requests do not count. */
  counts: boolean;
  /** It sends data: such a request carries the message, and its reply the answer. */
  readonly carries: boolean;
  /** When the latest pieces of data came. */
  arrivals: number[];
}

/** A request that only fetches and brought so many pieces without a new word for this long is not the answer's. */
const keepAlive = { pieces: 3, ms: 10_000 };

const hostOf = (url: string | undefined): string => (url !== undefined && URL.canParse(url) ? new URL(url).host : "");

const isKeepAlive = ({ carries, arrivals }: Flow, now: number, quiet: number): boolean =>
  !carries &&
  quiet > 0 &&
  now - quiet >= keepAlive.ms &&
  arrivals.filter((at) => at > quiet).length >= keepAlive.pieces;

export class Traffic {
  /** The host of the page. */
  home = "";
  /** Hosts beside the page's own whose requests carry the answer. */
  hosts: readonly RegExp[] = [];
  readonly #flows = new Map<string, Flow>();
  /** Requests that send data to the server, and frames of a socket. */
  #sent = 0;
  #failed: { at: number; why: string } | null = null;

  take(method: string, params: Params, now: number): void {
    const id = String(params["requestId"]);
    if (method === "Network.webSocketFrameSent") this.#sent += 1;
    if (method === "Network.requestWillBeSent") this.#begin(id, params, now);
    const flow = this.#flows.get(id);
    if (!flow) return;
    if (method === "Network.dataReceived") {
      flow.lastData = now;
      flow.counts = flow.own;
      flow.arrivals = [...flow.arrivals.slice(1 - keepAlive.pieces), now];
    }
    if (method === "Network.loadingFinished") this.#flows.delete(id);
    if (method === "Network.loadingFailed") {
      this.#flows.delete(id);
      if (params["canceled"] !== true && flow.counts) this.#failed = { at: now, why: String(params["errorText"]) };
    }
  }

  #begin(id: string, params: Params, now: number): void {
    const { method, url } = params["request"] as { method?: string; url?: string };
    const kind = String(params["type"]);
    const carries = method !== undefined && method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
    if (carries && kind !== "Ping" && kind !== "Preflight") this.#sent += 1;
    if (!["Fetch", "XHR", "EventSource"].includes(kind)) return;
    const own = this.#isOwn(hostOf(url));
    this.#flows.set(id, { began: now, lastData: now, own, counts: own && carries, carries, arrivals: [] });
  }

  /** Other hosts bring long polls, telemetry and advertising, and never the answer. */
  #isOwn(host: string): boolean {
    return host === this.home || this.hosts.some((pattern) => pattern.test(host));
  }

  /** Forgets the requests of the previous page. */
  arrive(): void {
    this.#flows.clear();
    this.#failed = null;
  }

  get sent(): number {
    return this.#sent;
  }

  /** A request of the page that sends data is open, e.g. an upload. */
  get sending(): boolean {
    return [...this.#flows.values()].some(({ carries }) => carries);
  }

  /** A request that began at or after `since`, is open, and received data within `patienceMs`. No text came since `quiet`. */
  flowing(since: number, now: number, patienceMs: number, quiet: number): boolean {
    return [...this.#flows.values()].some(
      (flow) =>
        flow.began >= since && flow.counts && now - flow.lastData < patienceMs && !isKeepAlive(flow, now, quiet),
    );
  }

  /** The last request that broke off at or after `since`: the page may show half of its answer. */
  brokenSince(since: number): { readonly at: number; readonly why: string } | null {
    return this.#failed !== null && this.#failed.at >= since ? this.#failed : null;
  }
}
