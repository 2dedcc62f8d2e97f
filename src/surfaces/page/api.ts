// The client of the server: a link, or the key of a paired browser, is exchanged for a bearer token, which stays in this tab and
// is sent with each call.
import { readAnswer } from "./answer.ts";
import { signal } from "@preact/signals";
import { pairBrowser, returnPaired, type Entered } from "./pairing.ts";
import { record, recorded } from "./record.ts";
import { go, link } from "./route.ts";
import { useEffect, useRef, useState } from "preact/hooks";

export interface Refused {
  readonly code: string;
  readonly message: string;
  readonly remedy: string | null;
}

export class CallError extends Error {
  readonly refused: Refused;
  constructor(refused: Refused) {
    super(refused.message);
    this.refused = refused;
  }
}

export type Door = "entering" | "open" | "closed" | "unreachable";

/** Whether this tab may call, and whether the server answers. */
export const door = signal<Door>(record ? "open" : "entering");
/** Why the server refused this tab, for the user. */
export const reason = signal("");
/** Whether this device may only show runs and decide. */
export const gatesOnly = signal(!record && sessionStorage.getItem("thehood-reach") === "gates");

const key = "thehood-bearer";
const others = record ? undefined : new BroadcastChannel("thehood");
let bearer = record ? "" : (sessionStorage.getItem(key) ?? "");

function enterWith(given: string): void {
  bearer = given;
  sessionStorage.setItem(key, given);
  door.value = "open";
}

const tellOthers = (message: unknown): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other target than its origin
  others?.postMessage(message);
};

/** A new tab of the same page asks the tabs that have access; a channel reaches only this origin with its port. */
others?.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
  if (data === "may I?" && door.value === "open") tellOthers({ bearer });
  else if (typeof data === "object" && data && "bearer" in data && door.value !== "open")
    enterWith(String(data.bearer));
});

function close(why: string): void {
  sessionStorage.removeItem(key);
  bearer = "";
  reason.value = why;
  door.value = "closed";
}

/** The access that a link or a paired key gave. */
function admit({ bearer: given, reach: allowed = "all" }: Entered): boolean {
  if (given === undefined) return false;
  sessionStorage.setItem("thehood-reach", allowed);
  gatesOnly.value = allowed === "gates";
  enterWith(given);
  return true;
}

export async function enterPage(): Promise<void> {
  if (record) return undefined;
  const [, token, run] = /^#t=([\w-]+)(?:\/(\w+))?$/.exec(location.hash) ?? [];
  let why = "This tab has no link.";
  if (token !== undefined) {
    go(run === undefined ? "/" : link("run", { id: run }), { replace: true });
    const answer = await fetch("/api/login", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token }),
    });
    const entered = (await answer.json()) as Entered & { readonly message?: string; readonly pairedDays?: number };
    if (admit(entered)) {
      if ((entered.pairedDays ?? 0) > 0) await pairBrowser(bearer);
      return undefined;
    }
    why = entered.message ?? why;
  }
  if (bearer !== "") {
    door.value = "open";
    return undefined;
  }
  return enterAgain(why);
}

/** Enters by the key of this browser, or by another tab. */
async function enterAgain(why: string): Promise<void> {
  if (admit(await returnPaired())) return;
  tellOthers("may I?");
  setTimeout(() => {
    if (door.value === "entering") close(why);
  }, 400);
}

const unreachable = {
  code: "unreachable",
  message: "The server does not answer.",
  remedy: "Is thehood web still running?",
};

/** The server was started anew, or the pairing ended: a paired browser comes in again by itself. */
function lose(): void {
  if (door.value === "entering" || door.value === "closed") return;
  sessionStorage.removeItem(key);
  bearer = "";
  door.value = "entering";
  void enterAgain("The server does not know this tab: it was started anew, or the pairing was ended.");
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  const headers = { ...init.headers, authorization: `Bearer ${bearer}` };
  const answer = await fetch(path, { ...init, headers }).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    if (door.value === "open") door.value = "unreachable";
    throw new CallError(unreachable);
  });
  if (answer.status === 401) lose();
  else if (door.value === "unreachable") door.value = "open";
  return answer;
}

/** Performs an operation. */
export async function callOperation<T>(operation: string, repo: string | undefined, input: object = {}): Promise<T> {
  if (record) {
    const held = recorded(operation, input);
    if (held !== undefined) return held as T;
    throw new CallError({ code: "record", message: "This is not in the record.", remedy: null });
  }
  const answer = await reach("/api/do", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ operation, repo, input }),
  });
  const said = readAnswer<{ ok: true; result: T } | ({ ok: false } & Refused)>(await answer.text());
  if (said.ok) return said.result;
  throw new CallError(said);
}

/** Why a call was refused; undefined for success. Any other error is a fault. */
export async function refusalOf(work: () => Promise<unknown>): Promise<Refused | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof CallError) return error.refused;
    throw error;
  }
}

/** The server writes at least every 15 seconds. A stream that is silent for this long is dead and is reopened. */
const silentMs = 40_000;

async function lines(path: string, signal: AbortSignal, hear: (message: never) => void): Promise<void> {
  const answer = await reach(path, { signal });
  if (!answer.ok || !answer.body) throw new CallError(unreachable);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const silent = setTimeout(() => void reader.cancel(), silentMs);
    const { value, done } = await reader.read().finally(() => clearTimeout(silent));
    if (done) return;
    const parts = (rest + value).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) if (part.length > 2) hear(readAnswer<never>(part));
  }
}

const againMs = 1_500;
/** A browser has six connections for all tabs of the page: this many may be permanent, the others are for calls. */
const kept = ["stream 1", "stream 2", "stream 3"];

/** Runs while it has one of the permanent connections; false if other tabs have all of them. */
async function inPlace(work: () => Promise<void>, [name, ...others]: readonly string[] = kept): Promise<boolean> {
  if (name === undefined) return false;
  const done = await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock) await work();
    return lock !== null;
  });
  return done || inPlace(work, others);
}

/**
 * Streams changes while the tab is visible: a hidden tab releases its connection and continues later; a tab without a permanent
 * connection polls. Returns the function that ends it.
 */
export function live<T>(path: () => string, hear: (message: T) => void): () => void {
  if (record) return () => undefined;
  let current: AbortController | undefined;
  const over = new AbortController();
  const follow = async (): Promise<void> => {
    while (!over.signal.aborted && !document.hidden && door.value !== "closed") {
      const own = new AbortController();
      current = own;
      const listen = (to: string): Promise<void> =>
        lines(to, own.signal, hear).catch((error: unknown) => {
          if (!own.signal.aborted && !(error instanceof CallError) && !(error instanceof TypeError)) throw error;
        });
      const once = (): string => `${path()}${path().includes("?") ? "&" : "?"}once=1`;
      if (!(await inPlace(() => listen(path())))) await listen(once());
      if (own.signal.aborted) return;
      await new Promise((resolve) => setTimeout(resolve, againMs));
    }
  };
  const turn = (): void => {
    current?.abort();
    current = undefined;
    if (!document.hidden) void follow();
  };
  document.addEventListener("visibilitychange", turn);
  // An open stream does not notice a lost connection: a new request does.
  window.addEventListener("offline", turn);
  void follow();
  return () => {
    over.abort();
    document.removeEventListener("visibilitychange", turn);
    window.removeEventListener("offline", turn);
    current?.abort();
  };
}

export interface Loaded<T> {
  readonly data: T | undefined;
  readonly refused: Refused | undefined;
  again(): void;
}

const asRefused = (error: unknown): Refused => {
  if (error instanceof CallError) return error.refused;
  throw error;
};

/** Calls the operation once for each different input, and again by `again()`. An older answer never replaces a newer one. */
export function useOperation<T>(operation: string, repo: string | undefined, input: object): Loaded<T> {
  const key = JSON.stringify([operation, repo, input]);
  const [held, hold] = useState<{ key: string; data?: T; refused?: Refused }>({ key: "" });
  const number = useRef(0);
  const load = (): void => {
    const mine = (number.current += 1);
    callOperation<T>(operation, repo, input).then(
      (data) => mine === number.current && hold({ key, data }),
      (error: unknown) => mine === number.current && hold({ key, refused: asRefused(error) }),
    );
  };
  useEffect(load, [key]);
  const current = held.key === key;
  return { data: current ? held.data : undefined, refused: current ? held.refused : undefined, again: load };
}
