// What the tab's network does, by counts and times only: whether a message may have left, and whether an answer still
// flows. No address, header or content is kept.
import type { Params } from "../cdp/client.ts";

interface Flow {
  readonly began: number;
  lastData: number;
}

export class Traffic {
  readonly #flows = new Map<string, Flow>();
  /** Requests that carry something to the server, and frames of a socket. */
  #sent = 0;
  #failed: { at: number; why: string } | null = null;

  take(method: string, params: Params, now: number): void {
    const id = String(params["requestId"]);
    if (method === "Network.webSocketFrameSent") this.#sent += 1;
    if (method === "Network.requestWillBeSent") this.#begin(id, params, now);
    const flow = this.#flows.get(id);
    if (!flow) return;
    if (method === "Network.dataReceived") flow.lastData = now;
    if (method === "Network.loadingFinished") this.#flows.delete(id);
    if (method === "Network.loadingFailed") {
      this.#flows.delete(id);
      if (params["canceled"] !== true) this.#failed = { at: now, why: String(params["errorText"]) };
    }
  }

  #begin(id: string, params: Params, now: number): void {
    const { method } = params["request"] as { method?: string };
    const kind = String(params["type"]);
    const carries = method !== undefined && method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
    if (carries && kind !== "Ping" && kind !== "Preflight") this.#sent += 1;
    if (["Fetch", "XHR", "EventSource"].includes(kind)) this.#flows.set(id, { began: now, lastData: now });
  }

  get sent(): number {
    return this.#sent;
  }

  /** A request that began at or after `since`, is not over, and brought something within `patienceMs`. */
  flowing(since: number, now: number, patienceMs: number): boolean {
    return [...this.#flows.values()].some(
      ({ began, lastData }) => began >= since && now - lastData < patienceMs,
    );
  }

  /** The last request that broke off at or after `since`. */
  brokenSince(since: number): { readonly at: number; readonly why: string } | null {
    return this.#failed !== null && this.#failed.at >= since ? this.#failed : null;
  }
}
