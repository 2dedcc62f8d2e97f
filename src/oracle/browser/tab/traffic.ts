// The network traffic of the tab, by counts and times only: whether a message may have been sent, and whether an answer
// still streams. No URL, header or content is stored.
import type { Params } from "../cdp/client.ts";

interface Flow {
  readonly began: number;
  lastData: number;
  /** It received data, or sends data to the site itself; other requests do not count. */
  counts: boolean;
}

const hostOf = (url: string | undefined): string => (url !== undefined && URL.canParse(url) ? new URL(url).host : "");

export class Traffic {
  /** The host of the page. */
  home = "";
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
      flow.counts = true;
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
    if (["Fetch", "XHR", "EventSource"].includes(kind))
      this.#flows.set(id, { began: now, lastData: now, counts: carries && hostOf(url) === this.home });
  }

  /** Forgets the requests of the previous page. */
  arrive(): void {
    this.#flows.clear();
    this.#failed = null;
  }

  get sent(): number {
    return this.#sent;
  }

  /** A request that began at or after `since`, is open, and received data within `patienceMs`. */
  flowing(since: number, now: number, patienceMs: number): boolean {
    return [...this.#flows.values()].some(({ began, lastData }) => began >= since && now - lastData < patienceMs);
  }

  /** The last request that broke off at or after `since`: the page may show half of its answer. */
  brokenSince(since: number): { readonly at: number; readonly why: string } | null {
    return this.#failed !== null && this.#failed.at >= since ? this.#failed : null;
  }
}
