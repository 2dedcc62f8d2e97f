// The page in a real browser: the real program serves it, real runs stand behind it.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import process from "node:process";
import { chromium as playwright, type Browser, type Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { bin, fixing, type Desk } from "../cli/program.ts";
import { openBench, stubCrew, type Bench } from "../mcp/client.ts";

export { fixing, stubCrew };

/** The browser that tests run, or undefined: then they are skipped by name. */
export const chromium = ["chromium", "chromium-browser", "google-chrome"]
  .map((name) => spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim())
  .find((path) => path !== "");

export interface Served {
  readonly origin: string;
  /** The link as it was printed; it is good once. */
  readonly link: string;
  readonly child: ChildProcess;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

export async function serve(desk: Desk, args: readonly string[] = []): Promise<Served> {
  const child = spawn(process.execPath, [bin, "web", "--no-open", ...args], {
    cwd: desk.repo.dir,
    env: desk.env,
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  await new Promise<void>((resolve) => {
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8");
      if (/#t=[\w/-]+\n/.test(said)) resolve();
    });
    void gone.then(resolve);
  });
  const link = /(https?:\/\/\S+#t=[\w/-]+)/.exec(said)?.[1];
  if (!link) throw new Error(`no link: ${said}`);
  return {
    origin: new URL(link).origin,
    link,
    child,
    async kill(signal = "SIGTERM") {
      child.kill(signal);
      await gone;
    },
  };
}

let browser: Promise<Browser> | undefined;

/** One browser for a file of tests; each test has a context of its own. */
export const launch = (): Promise<Browser> =>
  (browser ??= playwright.launch({
    executablePath: chromium ?? "",
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  }));

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

export interface Stage extends Bench {
  /** Starts a run with the stub and leaves it at its first gate; gives its id. */
  run(script?: object, args?: readonly string[]): string;
}

export function openStage(files?: Readonly<Record<string, string>>): Stage {
  const bench = openBench(files);
  return {
    ...bench,
    run(script = fixing, args = []) {
      const words = ["run", "Make add() add", "--stub-script", JSON.stringify(script), "--json", ...args];
      return bench.thehood(words).json<{ runId: string }>().runId;
    },
  };
}

/** A tab that is let in. */
export async function enter(served: Served, heading = "Runs"): Promise<Page> {
  const context = await (await launch()).newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.on("pageerror", (error) => {
    throw error;
  });
  await page.goto(served.link);
  await page.getByRole("heading", { name: heading, exact: true }).waitFor();
  return page;
}
