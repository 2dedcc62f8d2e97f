// One connection of oracle on another machine: what it asks of the keeper here, and files that it puts here for an upload. It
// reaches its own tab; it ends no browser and gives a page no file of this machine.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import type { Duplex } from "node:stream";
import { FailureError, parseJson } from "../../../core/contract/index.ts";
import { identityOf, isAlive } from "../../../platform/system/index.ts";
import { frames, type Params } from "../cdp/client.ts";
import type { KeeperLink } from "../process/connect.ts";
import type { Ask, KeeperView, Reply, Request } from "../process/protocol.ts";

/** Grows when the two sides would no longer understand each other. */
export const remoteProtocol = 1;

/** How many runs use the browser, and none of their names. */
const withoutNames = (view: KeeperView): Params => ({
  ...view,
  tabs: view.tabs.map(({ state, since }) => ({ key: "", state, since })),
});

/** An address of this machine's disk, or of the browser itself, is no page of a site. */
function mustBeOfTheWeb(url: unknown): void {
  if (typeof url !== "string" || !URL.canParse(url) || new URL(url).protocol !== "https:")
    throw new Error("a tab opens only https addresses for another machine");
}

const placed = "oracle-remote-";

/** Removes files that another machine put here through a process that was killed. */
export function removeLeftFiles(folder = tmpdir()): void {
  for (const name of readdirSync(folder)) {
    const [, pid] = name.startsWith(placed) ? (/^(\d+)-/.exec(name.slice(placed.length)) ?? []) : [];
    if (pid !== undefined && isAlive(identityOf(Number(pid))) === false)
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}

interface RelayDeps {
  readonly openLink: () => Promise<Pick<KeeperLink, "ask" | "close" | "onEvent" | "onGone">>;
  readonly loggedIn: () => readonly string[];
  /** Called once, with the name of the machine. */
  readonly onHello: (host: string) => void;
}

export class Relay {
  readonly #deps: RelayDeps;
  readonly #stream: Duplex;
  #link: ReturnType<RelayDeps["openLink"]> | null = null;
  #host: string | null = null;
  #folder: string | null = null;
  readonly #placed = new Set<string>();

  constructor(stream: Duplex, deps: RelayDeps) {
    this.#stream = stream;
    this.#deps = deps;
    const read = frames(10, (line) => this.#take(line));
    stream.on("data", (chunk: Buffer) => {
      try {
        read(chunk);
      } catch (error) {
        // One connection that sends a line without an end takes no other with it.
        if (!(error instanceof FailureError)) throw error;
        stream.destroy();
      }
    });
    stream.on("error", () => stream.destroy());
    stream.on("close", () => this.#end());
  }

  #say(reply: Reply): void {
    if (this.#stream.writable) this.#stream.write(`${JSON.stringify(reply)}\n`);
  }

  #take(line: string): void {
    const request = parseJson(line) as Request | null | undefined;
    if (typeof request !== "object" || request === null) return void this.#stream.destroy();
    const { id } = request;
    this.#answer(request).then(
      (result) => this.#say({ id, result }),
      (error: unknown) => this.#say({ id, error: error instanceof Error ? error.message : String(error) }),
    );
  }

  async #answer(request: Request): Promise<Params> {
    if (request.ask === "hello") return this.#hello(request);
    if (this.#host === null) throw new Error("say hello first");
    if (request.ask === "stop") throw new Error("only the machine of the browser ends it");
    if (request.ask === "file") return this.#place(request);
    const answer = await (await this.#keeper()).ask(this.#allowed(request));
    return request.ask === "view" ? { view: withoutNames(answer["view"] as KeeperView) } : answer;
  }

  #hello({ protocol, host }: Extract<Ask, { ask: "hello" }>): Params {
    if (protocol !== remoteProtocol)
      throw new Error(`it speaks protocol ${remoteProtocol}, and was asked for ${protocol}`);
    if (this.#host === null) this.#deps.onHello(String(host));
    this.#host = String(host);
    return { protocol: remoteProtocol, loggedIn: this.#deps.loggedIn() };
  }

  #allowed({ id: _id, ...ask }: Request): Ask {
    // Runs of two machines may have the same name.
    if (ask.ask === "lease") return { ...ask, key: `${this.#host ?? ""}/${ask.key}` };
    if (ask.ask === "cdp" && ask.method === "DOM.setFileInputFiles") this.#mustBePlaced(ask.params["files"]);
    if (ask.ask === "cdp" && ask.method === "Page.navigate") mustBeOfTheWeb(ask.params["url"]);
    return ask;
  }

  #mustBePlaced(files: unknown): void {
    if (!Array.isArray(files) || !files.every((path) => this.#placed.has(String(path))))
      throw new Error("a page gets only files that were put here for it");
  }

  #place({ name, base64 }: Extract<Ask, { ask: "file" }>): Params {
    this.#folder ??= mkdtempSync(join(tmpdir(), `${placed}${process.pid}-`));
    // Two files may have the same name, and a page shows the name.
    const folder = mkdtempSync(join(this.#folder, "f-"));
    const plain = basename(name.replaceAll("\\", "/")).replaceAll(/[\p{C}]/gu, "_");
    const path = join(folder, plain === "" || plain === "." || plain === ".." ? "file" : plain);
    writeFileSync(path, Buffer.from(base64, "base64"), { mode: 0o600 });
    this.#placed.add(path);
    return { path };
  }

  #keeper() {
    this.#link ??= this.#deps.openLink().then((link) => {
      link.onEvent = (event, params) => this.#say({ event, params });
      link.onGone = (gone) => this.#say({ gone });
      return link;
    });
    return this.#link;
  }

  /** The tab waits for the run to come back, as for a run of this machine. */
  #end(): void {
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true });
    this.#link?.then((link) => link.close()).catch(() => undefined);
  }
}
