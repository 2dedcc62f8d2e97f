// A run's connection to the keeper: found, or started and then found.
import { type ChildProcess, spawn } from "node:child_process";
import { type Socket, connect as connectSocket } from "node:net";
import process from "node:process";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { fail } from "../../../core/contract/index.ts";
import { frames, type Params } from "../cdp/client.ts";
import { postedKeeper, privateFolder } from "./location.ts";
import type { Ask, KeeperSettings, KeeperView, Reply } from "./protocol.ts";

/** Starting takes a second or two; a busy machine gets this long. */
const startMs = 45_000;
/** In a browser of the user a question may have to be answered first. */
const attachMs = 120_000;

interface Waiting {
  readonly resolve: (result: Params) => void;
  readonly reject: (error: Error) => void;
}

export type Gone = "browser" | "closed" | "crashed" | "expired" | "keeper";

/** The keeper or the browser refused, with its message. */
export class RefusedError extends Error {}

export class KeeperLink {
  readonly #socket: Duplex;
  readonly #waiting = new Map<number, Waiting>();
  #next = 1;
  #gone: Gone | null = null;
  onEvent: (method: string, params: Params) => void = () => undefined;
  onGone: (how: Gone) => void = () => undefined;

  constructor(socket: Duplex) {
    this.#socket = socket;
    socket.on(
      "data",
      frames(10, (line) => this.#take(JSON.parse(line) as Reply)),
    );
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#lose("keeper"));
  }

  get gone(): Gone | null {
    return this.#gone;
  }

  ask(ask: Ask): Promise<Params> {
    if (this.#gone !== null) return Promise.reject(new RefusedError(this.#gone));
    const id = this.#next;
    this.#next += 1;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#socket.write(`${JSON.stringify({ ...ask, id })}\n`);
    });
  }

  async view(): Promise<KeeperView> {
    return (await this.ask({ ask: "view" }))["view"] as KeeperView;
  }

  /** Where the browser finds these files. */
  async place(files: readonly string[]): Promise<readonly string[]> {
    return files;
  }

  close(): void {
    this.#gone ??= "keeper";
    this.#socket.destroy();
  }

  #take(reply: Reply): void {
    if ("gone" in reply) return this.#lose(reply.gone as Gone);
    if ("event" in reply) return this.onEvent(reply.event, reply.params);
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ("error" in reply) waiting?.reject(new RefusedError(reply.error));
    else waiting?.resolve(reply.result);
  }

  #lose(how: Gone): void {
    if (this.#gone !== null) return;
    this.#gone = how;
    for (const { reject } of this.#waiting.values()) reject(new RefusedError(how));
    this.#waiting.clear();
    this.onGone(how);
  }
}

/** The running keeper, or undefined. Nothing is started. */
export async function findKeeper(folder: string): Promise<KeeperLink | undefined> {
  const posted = postedKeeper(folder);
  if (!posted) return undefined;
  const socket = connectSocket(posted.socket);
  return await new Promise((resolve) => {
    socket.once("connect", () => resolve(new KeeperLink(socket)));
    // It is still starting or has just ended.
    socket.once("error", () => resolve(undefined));
  });
}

interface KeeperStart {
  /** The keeper's program. */
  readonly program: string;
  readonly settings: KeeperSettings;
  /** The environment of the browser, without keys. */
  readonly environment: Readonly<Record<string, string>>;
}

export async function connectKeeper(start: KeeperStart, signal: AbortSignal): Promise<KeeperLink> {
  const { settings } = start;
  privateFolder(settings.folder);
  const until = Date.now() + (settings.launch.attach === undefined ? startMs : attachMs);
  let child: Starting | undefined;
  while (Date.now() < until && !signal.aborted) {
    const link = await findKeeper(settings.folder);
    if (link) return link;
    // Another keeper is ending; a retry succeeds in a moment.
    if (postedKeeper(settings.folder) === undefined && (child === undefined || child.ended === 4))
      child = startKeeper(start);
    if (child !== undefined && child.ended !== null && child.ended !== 4) return notStarted(settings, child);
    await pause(40);
  }
  if (signal.aborted) return fail("interrupted", "Stopped before the browser was there.");
  return notStarted(settings, child);
}

interface Starting {
  readonly process: ChildProcess;
  ended: number | null;
  output: string;
}

function startKeeper({ program, settings, environment }: KeeperStart): Starting {
  const child = spawn(process.execPath, [program, JSON.stringify(settings)], {
    detached: true,
    env: environment,
    stdio: ["ignore", "ignore", "pipe"],
    windowsHide: true,
  });
  const starting: Starting = { process: child, ended: null, output: "" };
  child.stderr?.on("data", (chunk: Buffer) => {
    starting.output = `${starting.output}${chunk.toString("utf8")}`.slice(-2_000);
  });
  child.on("error", (error) => {
    starting.output = error.message;
    starting.ended = -1;
  });
  child.on("exit", (code) => (starting.ended = code ?? -1));
  child.unref();
  (child.stderr as Socket | null)?.unref();
  return starting;
}

function notStarted({ launch }: KeeperSettings, child: Starting | undefined): never {
  const output = child?.output.trim() ?? "";
  if (output.includes("ENOSPC"))
    return fail("store_full", `The browser did not start, because the disk is full (${output.split("\n")[0]}).`, {
      remedy: "Free some space, then try again.",
    });
  if (launch.attach !== undefined)
    return fail(
      "browser_gone",
      `Your browser at port ${launch.attach.port} gave no connection${output && `: ${output}`}.`,
      {
        remedy:
          "Is it running? In Chrome 144 or newer allow remote debugging at chrome://inspect/#remote-debugging, and answer " +
          "the question that Chrome asks when oracle connects. Then try again.",
      },
    );
  return fail("browser_gone", `The browser did not start (${launch.executable})${output && `: ${output}`}.`, {
    remedy:
      "Close other programs that use its profile and try again; see: oracle browser status. " +
      "As a user in a container without namespaces the browser may need --no-sandbox (ORACLE_BROWSER_ARGS).",
  });
}
