// A place to run the real command against the stand-ins: its own home, profile and browser, ended with the test.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type RunResult, type Site, sites } from "../../src/core/contract/transport/index.ts";
import { resultSchema } from "../../src/core/contract/transport/schema/index.ts";
import { type BrowserDeps, login, stopBrowser } from "../../src/oracle/browser/index.ts";
import { Bench, type Ran } from "../oracle/bench.ts";
import type { Post } from "../sites/brain.ts";
import type { Scenario } from "../sites/scenario.ts";
import { StandIns } from "../sites/server.ts";
import { removeFolder } from "../support/remove-folder.ts";

const root = join(import.meta.dirname, "../..");
const dist = join(root, "dist");

/** The browser that tests run, or undefined: then they are skipped by name. */
export const chromium = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
  .map((name) => spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim())
  .find((path) => path !== "");

/** Waits are shorter here than on the real sites; the rules are the same. */
export const quickTimes = {
  pollMs: 80,
  holds: 3,
  stableMs: 400,
  composerMs: 6_000,
  uploadMs: 6_000,
  chipStableMs: 250,
  sendMs: 4_000,
  swallowedMs: 600,
  modelMs: 3_000,
  copyMs: 1_000,
  brokenMs: 1_000,
  settleMs: 600,
  fileMs: 5_000,
};

export const pageOf: Readonly<Record<Site, string>> = {
  chatgpt: "https://chatgpt.com/",
  copilot: "https://github.com/copilot/",
  gemini: "https://gemini.google.com/app",
};

export interface Asked {
  readonly ran: Ran;
  readonly result: RunResult;
  readonly answer: string | null;
  readonly id: string;
  readonly posts: readonly Post[];
}

const patient = { signal: new AbortController().signal, log: () => undefined, waitMs: 30_000 };

export class Stage extends Bench {
  readonly sites: StandIns;
  #cases = 0;

  constructor(standIns: StandIns) {
    super();
    this.sites = standIns;
    Object.assign(this.env, {
      ORACLE_BROWSER: chromium ?? "",
      ORACLE_BROWSER_ARGS: standIns.browserArgs,
      ORACLE_BROWSER_IDLE_MS: "20000",
      ORACLE_BROWSER_TABS: "3",
      ORACLE_BROWSER_MODE: "headless",
    });
    this.times({});
  }

  ownData(site: Site, data: { readonly marks: Readonly<Record<string, unknown>> }): void {
    writeFileSync(join(this.folder, "sites", `${site}.json`), JSON.stringify({ ...data, times: quickTimes }));
  }

  /** The user's own site data: here, other times. */
  times(change: Partial<typeof quickTimes> & { flowMs?: number }): void {
    mkdirSync(join(this.folder, "sites"), { recursive: true, mode: 0o700 });
    for (const site of sites)
      writeFileSync(
        join(this.folder, "sites", `${site}.json`),
        JSON.stringify({ times: { ...quickTimes, ...change } }),
      );
  }

  get folder(): string {
    return join(this.home, "browser");
  }

  get deps(): BrowserDeps {
    return {
      folder: this.folder,
      executable: chromium,
      mode: "headless",
      display: "screen",
      args: this.sites.browserArgs.split(/\s+(?=--)/),
      noSandbox: process.getuid?.() === 0,
      maxTabs: 3,
      idleMs: 20_000,
      // As a user has it: on a busy machine the successor of a killed run takes its time to start.
      orphanMs: 60_000,
      leaseMs: 600_000,
      keeperProgram: join(dist, "browser-keeper.js"),
      environment: { PATH: this.env["PATH"] ?? "", HOME: this.env["HOME"] ?? "" },
      remote: { token: undefined, ssh: undefined, environment: {} },
      programs: () => ({
        page: readFileSync(join(dist, "browser-page.txt"), "utf8"),
        clipboard: readFileSync(join(dist, "browser-clipboard.txt"), "utf8"),
      }),
      redact: (text) => text,
    };
  }

  /** Logs in as a person would, once for each site. */
  async logIn(...wanted: readonly Site[]): Promise<void> {
    this.sites.set("", { autoLogin: true });
    for (const site of wanted.length > 0 ? wanted : sites) await login(this.deps, site, patient);
    this.sites.set("", {});
  }

  /** The address of a page that behaves like this, and the name under which its messages are counted. */
  scene(site: Site, scenario: Partial<Scenario>): { readonly url: string; readonly id: string } {
    this.#cases += 1;
    const id = `case-${this.#cases}`;
    this.sites.set(id, scenario);
    return { url: `${pageOf[site]}?case=${id}`, id };
  }

  /** One run against a page that behaves like this; its result, and what reached the server. */
  async ask(
    site: Site,
    scenario: Partial<Scenario>,
    args: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Asked> {
    const { url, id } = this.scene(site, scenario);
    const ran = await this.run(["--prompt", `Please help with ${id}.`, "--browser-url", url, "--json", ...args], {
      env,
    });
    const result = resultSchema.strict().parse(JSON.parse(ran.stdout));
    const answer = result.answerPath === null ? null : readFileSync(result.answerPath, "utf8");
    return { ran, result, answer, id, posts: this.sites.postsOf(id) };
  }

  forgetRepository(): void {
    for (const folder of [this.repo, this.remote]) removeFolder(folder);
  }

  keptBundleHash(session: string): string {
    const found = readdirSync(this.file(session, ""), { recursive: true, encoding: "utf8" }).find((name) =>
      name.endsWith(".zip"),
    );
    return createHash("sha256")
      .update(readFileSync(this.file(session, found ?? "")))
      .digest("hex");
  }

  readFile(path: string): string {
    return readFileSync(path, "utf8");
  }

  async endBrowser(): Promise<void> {
    await stopBrowser(this.deps);
  }

  /** kill -9 of one part of the browser. */
  killBrowser(part: "browser" | "keeper" | "page"): void {
    const line = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, "utf8");
    const victims = this.browserProcesses().filter((pid) => {
      if (part === "keeper") return line(pid).includes("browser-keeper.js");
      if (part === "page") return line(pid).includes("--type=renderer");
      return line(pid).includes("--remote-debugging-pipe") && !line(pid).includes("--type=");
    });
    if (victims.length === 0) throw new Error(`there is no ${part} to kill`);
    for (const pid of victims) process.kill(pid, "SIGKILL");
  }

  /** What still lives when helpers of the browser have had this long to end as well. */
  async processesAfter(ms: number): Promise<number[]> {
    for (const end = Date.now() + ms; Date.now() < end && this.browserProcesses().length > 0;) await pause(50);
    return this.browserProcesses();
  }

  /** Processes of the browser on this profile that still live. */
  browserProcesses(): number[] {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => {
        try {
          return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(this.folder);
        } catch {
          // It ended between the two reads.
          return false;
        }
      });
  }
}
