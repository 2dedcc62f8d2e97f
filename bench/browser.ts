// A run in a web page, against the stand-in on loopback: the first and the second start, our own time beside the page's,
// and the memory of the browser with one tab and with four.
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { browserStatus } from "../src/oracle/browser/index.ts";
import { Stage, chromium, quickTimes } from "../tests/browser/stage.ts";
import { StandIns } from "../tests/sites/server.ts";
import { judged } from "./lib/limit.ts";
import { median } from "./lib/measure.ts";

/** The page thinks and writes for this long. */
const page = { answers: ["word ".repeat(200)], thinkingMs: 500, chunks: 10, chunkMs: 100 };
const pageMs = page.thinkingMs + page.chunks * page.chunkMs;

/** Shared pages are counted once. */
function megabytes(stage: Stage): number {
  const kilobytes = stage.browserProcesses().map((pid) => {
    const found = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"));
    return Number(found?.[1] ?? 0);
  });
  return Math.round(kilobytes.reduce((sum, value) => sum + value, 0) / 1024);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Holds so many tabs open at once and reads the memory while their answers come. */
async function withTabs(stage: Stage, count: number): Promise<number> {
  const slow = { ...page, thinkingMs: 4_000 };
  const runs = Array.from({ length: count }, () => stage.ask("chatgpt", slow));
  for (let open = 0; open < count; await pause(50)) open = (await browserStatus(stage.deps)).running?.tabs.length ?? 0;
  await pause(1_000);
  const used = megabytes(stage);
  await Promise.all(runs);
  return used;
}

if (chromium === undefined) console.log("skipped: no Chromium or Chrome here");
else {
  const sites = await new StandIns().listen();
  const stage = new Stage(sites);
  stage.env["ORACLE_BROWSER_TABS"] = "4";
  try {
    await stage.logIn("chatgpt");
    await stage.endBrowser();
    const ask = () => stage.ask("chatgpt", page);
    const first = await timed(ask);
    const later: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) later.push(await timed(ask));
    const second = median(later);
    const proofMs = quickTimes.stableMs + quickTimes.pollMs;
    const own = second - pageMs - proofMs;
    console.log(`first start   ${Math.round(first)} ms, with the browser`);
    console.log(`second start  ${Math.round(second)} ms, the browser is there (median of ${later.length})`);
    console.log(`of that       ${pageMs} ms the page, ${proofMs} ms the proof, ${Math.round(own)} ms our own`);
    console.log(
      `start kept    ${((first - second) / first).toFixed(2)} of the first one${judged("> 0", second < first)}`,
    );
    const one = await withTabs(stage, 1);
    const four = await withTabs(stage, 4);
    console.log(
      `memory        ${one} MB with one tab, ${four} MB with four${judged("4 tabs < 3 × 1 tab", four < 3 * one)}`,
    );
  } finally {
    await stage.endBrowser();
    stage.dispose();
    await sites.close();
  }
}
