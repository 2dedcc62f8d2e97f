// Secret scanning: megabytes a second on source code beside secretlint with its recommended preset, the findings on
// that clean code, and the slowest hostile line. Same files, same run.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { judged } from "./lib/limit.ts";
import { hostileLines } from "../tests/support/secrets/hostile.ts";
import { findSecrets, secretRules } from "../src/core/secrets/index.ts";

const root = join(import.meta.dirname, "../node_modules");
const packages = ["zod", "tinyglobby", "fast-check", "openai", "web-tree-sitter", "micromark"];

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.(?:[cm]?[jt]s|md)$/.test(entry.name) && statSync(path).size < 400_000 ? [path] : [];
  });
}

const files = packages
  .flatMap((name) => sources(join(root, name)))
  .slice(0, 1500)
  .map((path) => ({ path, text: readFileSync(path, "utf8") }));
const megabytes = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) / 1e6;
const lines = files.reduce((sum, { text }) => sum + text.split("\n").length, 0);

/** Seconds of processor time. */
async function cost(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

let findings = 0;
const scanAll = () => {
  findings = 0;
  for (const { path, text } of files) findings += findSecrets(text, { file: path }).length;
};
const rounds = [await cost(scanAll), await cost(scanAll), await cost(scanAll)];
const ours = Math.min(...rounds);

const { lintSource } = await import("@secretlint/core");
const { creator } = await import("@secretlint/secretlint-rule-preset-recommend");
const theirs = await cost(async () => {
  for (const { path, text } of files) {
    await lintSource({
      source: { filePath: path, content: text, ext: ".ts", contentType: "text" },
      options: { config: { rules: [{ id: "preset", rule: creator }] } },
    });
  }
});

/** Each hostile line at a tenth of the length first; the slowest ones then at the whole length, where growth would show. */
const literals = secretRules.flatMap((rule) => rule.literals);
const whole = 1_000_000;
const trials: { ms: number; index: number }[] = [];
for (const line of hostileLines(literals, whole / 10, 1))
  trials.push({ index: trials.length, ms: (await cost(() => findSecrets(line))) * 1000 });
const chosen = new Set(
  trials
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, 20)
    .map(({ index }) => index),
);
let slowest = { ms: 0, line: "" };
let at = 0;
for (const line of hostileLines(literals, whole, 1)) {
  if (!chosen.has(at++)) continue;
  const ms = (await cost(() => findSecrets(line))) * 1000;
  if (ms > slowest.ms) slowest = { ms, line: line.slice(0, 24) };
}

const row = (name: string, value: string, limit: string, holds: boolean) =>
  console.log(`${name.padEnd(44)} ${value.padStart(14)}${judged(limit, holds)}`);
const speed = megabytes / ours;
const rate = (findings / lines) * 10_000;
console.log(`${files.length} files, ${megabytes.toFixed(1)} MB, ${lines} lines of clean source; processor time`);
row("thehood", `${speed.toFixed(1)} MB/s`, "at least 40", speed >= 40);
row(
  "thehood, first round",
  `${(megabytes / (rounds[0] ?? ours)).toFixed(1)} MB/s`,
  "at least 20",
  megabytes / (rounds[0] ?? ours) >= 20,
);
row("secretlint, recommended preset", `${(megabytes / theirs).toFixed(1)} MB/s`, "none", true);
row("thehood : secretlint", `${(theirs / ours).toFixed(2)} ×`, "above 1", theirs > ours);
row("findings in 10,000 clean lines", rate.toFixed(3), "at most 1", rate <= 1);
row(`slowest hostile MB: ${JSON.stringify(slowest.line)}`, `${slowest.ms.toFixed(0)} ms`, "1000 ms", slowest.ms < 1000);
