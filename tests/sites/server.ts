// The stand-ins of the three sites: one TLS server on loopback that answers under their real names.
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Server, createServer } from "node:https";
import { stripTypeScriptTypes } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Brain, type Chosen, type Post } from "./brain.ts";
import { type Certificate, makeCertificate } from "./certificate.ts";
import type { PageSet } from "./page-set.ts";
import type { PageStart, TurnState } from "./pages/shapes.ts";
import { type Scenario, plainScenario } from "./scenario.ts";

const siteHosts = ["chatgpt.com", "github.com", "gemini.google.com", "accounts.google.com"];
const siteOf: Readonly<Record<string, PageStart["site"]>> = {
  "chatgpt.com": "chatgpt",
  "github.com": "copilot",
  "gemini.google.com": "gemini",
};
const cookie = "standin_session";

const firstPages: PageSet = {
  folder: join(import.meta.dirname, "pages"),
  hosts: ["signaler-pa.clients6.google.com"],
  plain: () => plainScenario,
  names: (path, conversation) => path.includes(conversation),
  challenge:
    '<!doctype html><title>Just a moment...</title><div id="challenge-running">Checking that a person is there.</div>',
  answerApi: () => false,
};

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export class StandIns {
  readonly brain = new Brain();
  readonly #pages: PageSet;
  readonly #hosts: readonly string[];
  readonly #certificate: Certificate;
  readonly #server: Server;
  readonly #cases = new Map<string, Partial<Scenario>>();
  /** The value of the login cookie: it must never be found outside of the profile. */
  readonly canary: string;
  /** Requests for a host that is none of ours. */
  readonly strangers: string[] = [];
  port = 0;

  constructor(canary = "canary-0000", pages = firstPages) {
    this.canary = canary;
    this.#pages = pages;
    this.#hosts = [...siteHosts, ...pages.hosts];
    this.#certificate = makeCertificate(this.#hosts);
    const { key, cert } = this.#certificate;
    this.#server = createServer({ key, cert }, (request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        response.statusCode = 500;
        response.end(String(error));
      });
    });
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** The arguments by which the test browser finds the stand-ins under the real names and reaches nothing else. */
  get browserArgs(): string {
    const rules = `MAP * 127.0.0.1:${this.port}, EXCLUDE 127.0.0.1`;
    return `--host-resolver-rules=${rules} --ignore-certificate-errors-spki-list=${this.#certificate.spki}`;
  }

  set(caseId: string, scenario: Partial<Scenario>): void {
    this.#cases.set(caseId, scenario);
  }

  /** Answers that depend on what was asked. */
  reply(caseId: string, answer: (prompt: string) => string): void {
    this.brain.replies.set(caseId, answer);
  }

  postsOf(caseId: string): Post[] {
    return this.brain.posts.filter((post) => post.caseId === caseId);
  }

  /** Ends every open answer stream, as a broken network does. */
  dropConnections(): void {
    this.#server.closeAllConnections();
  }

  #scenario(caseId: string, site?: PageStart["site"]): Scenario {
    return { ...this.#pages.plain(site), ...this.#cases.get(caseId) };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const host = request.headers.host ?? "";
    const url = new URL(request.url ?? "/", `https://${host}`);
    if (!this.#hosts.includes(url.hostname)) {
      this.strangers.push(url.hostname);
      response.statusCode = 404;
      return void response.end();
    }
    if (url.pathname.startsWith("/standin/app/")) return this.#script(url, response);
    if (url.pathname === "/standin/login") return this.#login(url, response);
    if (url.pathname === "/standin/upload") return this.#upload(url, request, response);
    if (url.pathname === "/standin/send") return this.#send(request, response);
    if (url.pathname === "/standin/stream")
      return this.#stream(url.searchParams.get("conversation") ?? "", request, response);
    if (url.pathname === "/standin/poll") return this.#poll(response);
    const loggedIn = (request.headers.cookie ?? "").includes(cookie);
    if (url.pathname === "/backend-api/estuary/content") return sendMade(response, loggedIn ? picture : null);
    if (url.pathname === "/standin/file") return sendMade(response, loggedIn ? fileBytes(url) : null);
    if (url.pathname === "/connector_openai_deep_research")
      return sendReport(response, this.brain.talks.get(url.searchParams.get("conversation") ?? "")?.turns.at(-1));
    if (this.#pages.answerApi(url, loggedIn, response)) return;
    return this.#page(url, request, response);
  }

  /** A request that never ends and brings a few bytes now and then. */
  #poll(response: ServerResponse): void {
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("content-type", "text/event-stream");
    const timer = setInterval(() => response.write("noop\n"), 400);
    response.on("close", () => clearInterval(timer));
  }

  #script(url: URL, response: ServerResponse): void {
    const file = join(this.#pages.folder, url.pathname.replace("/standin/app/", "").replaceAll("..", ""));
    response.setHeader("content-type", "text/javascript");
    response.end(stripTypeScriptTypes(readFileSync(file, "utf8")));
  }

  /** A person has typed a password: the browser gets its cookie. */
  #login(url: URL, response: ServerResponse): void {
    const domain = url.hostname.endsWith("google.com") ? "; Domain=google.com" : "";
    response.setHeader("set-cookie", `${cookie}=${this.canary}; Path=/; Secure; HttpOnly; Max-Age=864000${domain}`);
    response.statusCode = 302;
    response.setHeader("location", url.searchParams.get("to") ?? "/");
    response.end();
  }

  async #upload(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const scenario = this.#scenario(url.searchParams.get("case") ?? "");
    const bytes = await bodyOf(request);
    await new Promise((resolve) => setTimeout(resolve, scenario.uploadMs));
    if (scenario.upload === "never") return;
    if (scenario.upload !== "ok") {
      response.statusCode = 415;
      return void response.end();
    }
    response.end(this.brain.upload(url.searchParams.get("name") ?? "", bytes));
  }

  async #send(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { caseId, conversation, prompt, uploads, chosen } = JSON.parse((await bodyOf(request)).toString()) as {
      caseId: string;
      conversation: string | null;
      prompt: string;
      uploads: string[];
      chosen: Partial<Chosen>;
    };
    const talk = this.brain.send(caseId, conversation, prompt, uploads, this.#scenario(caseId), {
      mode: chosen.mode ?? null,
      model: chosen.model ?? null,
      effort: chosen.effort ?? null,
      tool: chosen.tool ?? null,
    });
    this.#stream(talk.id, request, response);
  }

  #stream(id: string, request: IncomingMessage, response: ServerResponse): void {
    const talk = this.brain.talks.get(id);
    if (!talk) {
      response.statusCode = 404;
      return void response.end();
    }
    const scenario = this.#scenario(talk.caseId);
    response.setHeader("content-type", "application/x-ndjson");
    const say = () => {
      if (response.writableEnded) return;
      const last = talk.turns.at(-1);
      if (last?.state === "streaming" && scenario.end === "network" && last.text.length > 100)
        return void request.socket.destroy();
      response.write(`${JSON.stringify(talk.line)}\n`);
      if (!talk.writing) return void response.end();
    };
    const stop = talk.listen(say);
    response.on("close", stop);
    say();
    // Where a status stands in the turn, no request stays open: the page asks again and again.
    if (scenario.interim !== null && talk.writing) response.end();
  }

  #page(url: URL, request: IncomingMessage, response: ServerResponse): void {
    const site = siteOf[url.hostname];
    const talk = [...this.brain.talks.values()].find(({ id }) => this.#pages.names(url.pathname, id));
    const caseId = talk?.caseId ?? url.searchParams.get("case") ?? "";
    const scenario = this.#scenario(caseId, site);
    const after = talk !== undefined && scenario.wall === "login_after_send";
    const loggedIn = (request.headers.cookie ?? "").includes(cookie) && scenario.wall !== "logged_out" && !after;
    response.setHeader("content-type", "text/html; charset=utf-8");
    if (scenario.wall === "challenge") {
      response.statusCode = 403;
      response.setHeader("cf-mitigated", "challenge");
      return void response.end(this.#pages.challenge);
    }
    if (site === undefined) return void response.end(loginPage(scenario, "https://gemini.google.com/app"));
    if (!loggedIn && site === "copilot" && url.pathname !== "/login")
      return redirect(response, `/login?case=${caseId}`);
    if (url.pathname === "/login") return void response.end(loginPage(scenario, "/copilot/"));
    if (!loggedIn && site === "gemini")
      return redirect(response, `https://accounts.google.com/ServiceLogin?case=${caseId}`);
    const start: PageStart = {
      site,
      caseId,
      scenario,
      loggedIn,
      conversation: talk?.id ?? null,
      turns: talk?.turns ?? [],
    };
    response.end(shell(start));
  }
}

/** A picture of one point. */
export const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** What the page offers under this name. */
export const fileText = (name: string): string => `the content of ${name}\n`;
const fileBytes = (url: URL): Buffer => Buffer.from(fileText(url.searchParams.get("name") ?? ""));

/** Only for somebody who is logged in. */
function sendMade(response: ServerResponse, bytes: Buffer | null): void {
  response.statusCode = bytes === null ? 403 : 200;
  if (bytes === picture) response.setHeader("content-type", "image/png");
  response.end(bytes ?? "");
}

/** The frame of a report on its own host: it works, then it shows its counters and the text. */
function sendReport(response: ServerResponse, turn: TurnState | undefined): void {
  const refresh = '<meta http-equiv="refresh" content="1">';
  const paragraphs = (turn?.text ?? "").split("\n\n").map((text) => `<p>${text}</p>`);
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end(
    turn?.state === "done"
      ? `<!doctype html><p>Research completed in 7m</p><p>12 citations</p><p>45 searches</p><h2>Deep Research report</h2>${paragraphs.join("")}`
      : `<!doctype html>${refresh}<p>Researching…</p>${paragraphs[0] ?? ""}`,
  );
}

function redirect(response: ServerResponse, to: string): void {
  response.statusCode = 302;
  response.setHeader("location", to);
  response.end();
}

const autoLogin = (scenario: Scenario, to: string) =>
  scenario.autoLogin
    ? `<script>setTimeout(() => { location.href = "/standin/login?to=${encodeURIComponent(to)}"; }, 300);</script>`
    : "";

const loginPage = (scenario: Scenario, to: string) =>
  `<!doctype html><title>Sign in</title><form><input id="login_field" name="login"><input type="password"></form>${autoLogin(scenario, to)}`;

/** A healthy page carries the weak challenge script as well, and links that hold the word "login". */
function shell(start: PageStart): string {
  const data = JSON.stringify(start).replaceAll("<", String.raw`\u003c`);
  const weak = start.scenario.weakChallenge ? '<script src="/cdn-cgi/challenge-platform/x.js" async></script>' : "";
  return `<!doctype html><html lang="${start.scenario.language}"><meta charset="utf-8"><title>Chat</title>${weak}
<body><a hidden href="/settings/login-sessions">login sessions</a><div id="root"></div>
<script type="application/json" id="start">${data}</script>
<script type="module" src="/standin/app/main.ts"></script>${start.loggedIn ? "" : autoLogin(start.scenario, "/")}</body></html>`;
}
