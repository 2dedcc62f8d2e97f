// The page as a person meets it, in real Chromium: its size, its first paint, the time from an event to the screen, the
// painting of large changes, and memory with five thousand runs.
import { spawn, spawnSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { gzipSync } from "node:zlib";
import { chromium, type Page } from "playwright-core";
import { seedRuns } from "../tests/support/seed-runs.ts";
import { bin, env, makeRepository, thehood } from "./lib/desk.ts";
import { judged } from "./lib/limit.ts";
import { median } from "./lib/measure.ts";
import { tempFolder } from "./lib/temp-folder.ts";

const pages = join(import.meta.dirname, "../dist/web");
const packed = readdirSync(pages).reduce((sum, name) => sum + gzipSync(readFileSync(join(pages, name))).length, 0);
console.log(`page, packed: ${(packed / 1_000).toFixed(1)} kB${judged("40 kB", packed <= 40_000)}`);

const executablePath = spawnSync("sh", ["-c", "command -v chromium || command -v google-chrome"], {
  encoding: "utf8",
}).stdout.trim();
if (executablePath === "") {
  console.log("no Chromium here: the rest is not measured");
  process.exit();
}

/** Each change is opened so often; the median counts. */
const rounds = 5;
const sizes = [2_000, 20_000, 100_000];
const linesOf = (lines: number): string =>
  `${Array.from({ length: lines }, (_, index) => `line ${index} of many`).join("\n")}\n`;
const dir = makeRepository(Object.fromEntries(sizes.map((lines) => [`${lines}.txt`, linesOf(lines)])));
/** A run that takes one of the files away: its change has as many lines as the file. */
function changeOf(lines: number): string {
  const file = join(tempFolder(), "script.json");
  const edits = [{ op: "delete", path: `${lines}.txt` }];
  writeFileSync(file, JSON.stringify({ roles: { implementer: [{ edits }] } }));
  const words = [
    "run",
    `take ${lines} lines`,
    "--approvals",
    "autopilot",
    "--no-checks",
    // A verifier reads a large change in many parts.
    "--max-iterations",
    "100",
    "--stub-script",
    file,
  ];
  return (JSON.parse(thehood(dir, ...words, "--json")) as { runId: string }).runId;
}
const small = (JSON.parse(thehood(dir, "plan", "look", "--json")) as { runId: string }).runId;
const changes = sizes.map((lines) => ({ lines, runId: changeOf(lines) }));
await seedRuns(dir, small, 5_000);

const server = spawn(process.execPath, [bin, "web", "--no-open"], { cwd: dir, env });
let said = "";
await new Promise<void>((resolve) =>
  server.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString("utf8");
    if (/#t=[\w-]+\n/.test(said)) resolve();
  }),
);
const browser = await chromium.launch({
  executablePath,
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});

interface Painted {
  /** From the change of the address until the first lines were painted. */
  readonly whole: number;
  /** The same from the last byte of the answer. */
  readonly paint: number;
}

const painted = (page: Page, hash: string, selector: string): Promise<Painted> =>
  page.evaluate(`new Promise((resolve) => {
    const began = performance.now();
    const seen = () => document.querySelector(${JSON.stringify(selector)})
      ? requestAnimationFrame(() => setTimeout(() => {
          const [end, answered] = [performance.now(), performance.getEntriesByType("resource").at(-1)];
          resolve({ whole: end - began, paint: end - Math.max(began, answered?.responseEnd ?? began) });
        }))
      : setTimeout(seen, 1);
    location.hash = ${JSON.stringify(hash)};
    seen();
  })`);

try {
  const page = await browser.newPage();
  await page.goto(/http:\S+/.exec(said)?.[0] ?? "");
  await page.locator("li.run").first().waitFor();
  const first = Number(
    await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"),
  );
  console.log(`first paint: ${first.toFixed(0)} ms`);
  for (const { lines, runId } of changes) {
    const query = new URLSearchParams({ repo: dir, id: runId });
    const times: (Painted & { all: number })[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const began = Date.now();
      const first = await painted(page, `#/diff?${query}`, ".block > div");
      await page
        .locator(".block > div")
        .nth(lines - 1)
        .waitFor({ state: "attached" });
      times.push({ ...first, all: Date.now() - began });
      await painted(page, "#/", "li.run");
    }
    const paint = median(times.map((time) => time.paint));
    const limit = lines === 20_000 ? judged("100 ms", paint <= 100) : "";
    console.log(
      `a change of ${lines} lines: ${paint.toFixed(0)} ms from its last byte to the screen${limit}, ${median(times.map(({ whole }) => whole)).toFixed(0)} ms from asking, all lines in the page after ${median(times.map(({ all }) => all)).toFixed(0)} ms`,
    );
  }
  const goal = "wait for me";
  const onScreen = page.evaluate(`new Promise((resolve) => {
    const look = () => document.body.textContent.includes(${JSON.stringify(goal)}) && resolve(Date.now());
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
  })`);
  thehood(dir, "run", goal, "--no-loop");
  const { runs } = JSON.parse(thehood(dir, "runs", "--limit", "1", "--json")) as {
    runs: { updatedAt: number }[];
  };
  const late = Number(await onScreen) - (runs[0]?.updatedAt ?? 0);
  console.log(`a new run on the list after its first event: ${late} ms${judged("2,000 ms", late <= 2_000)}`);
  await page.evaluate("location.hash = '#/?n=10000'");
  await page.locator("li.run").nth(4_999).waitFor({ state: "attached" });
  const heap = Number(await page.evaluate("performance.memory.usedJSHeapSize")) / 1_000_000;
  console.log(`heap of the page with 5,000 runs listed: ${heap.toFixed(0)} MB${judged("150 MB", heap <= 150)}`);
  const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1] ?? 0) / 1_000;
  console.log(`memory of the server: ${rss.toFixed(0)} MB${judged("400 MB", rss <= 400)}`);
} finally {
  await browser.close();
  server.kill("SIGTERM");
}
