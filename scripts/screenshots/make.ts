// Plays the demo up to its last gate and further, and takes pictures of the pages that a person meets.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { chromium, type Page } from "playwright-core";
import { scenes } from "./scenes.ts";

const root = resolve(import.meta.dirname, "../..");
const bin = join(root, "bin/thehood.js");
/** The pictures of the documents are three views in one size and theme. */
const forDocs = process.argv[2] === "--docs";
const folder = forDocs ? join(root, "docs/images") : resolve(process.argv[2] ?? join(root, ".build/screenshots"));
const inDocs = ["home", "run", "gate"];
const home = mkdtempSync(join(tmpdir(), "thehood-pictures-"));
const env = { PATH: process.env["PATH"], HOME: home, THEHOOD_HOME: join(home, "config"), NO_COLOR: "1" };
const thehood = (cwd: string, ...args: string[]): string =>
  spawnSync(process.execPath, [bin, ...args], { cwd, env, encoding: "utf8" }).stdout;

const scene = scenes(home, thehood);

async function served(): Promise<{ link: string; end(): void }> {
  const child = spawn(process.execPath, [bin, "web", "--no-open"], { cwd: scene.repo, env });
  let said = "";
  await new Promise<void>((resolve) =>
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8");
      if (/#t=[\w-]+\n/.test(said)) resolve();
    }),
  );
  return { link: /http:\S+/.exec(said)?.[0] ?? "", end: () => child.kill("SIGTERM") };
}

const sizes = { phone: [360, 740], laptop: [1100, 760], wide: [1600, 900] } as const;

async function shoot(page: Page, theme: "light" | "dark", size: keyof typeof sizes): Promise<void> {
  const [width, height] = sizes[size];
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: theme });
  for (const [name, hash, ready] of scene.views) {
    if (forDocs && !inDocs.includes(name)) continue;
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    await page.getByText(ready).filter({ visible: true }).first().waitFor({ timeout: 60_000 });
    // A gate is seen with its change.
    if (forDocs) await page.setViewportSize({ width, height: name === "gate" ? 1_000 : height });
    await page.waitForTimeout(250);
    await page.screenshot({ path: join(folder, forDocs ? `${name}.png` : `${name}-${size}-${theme}.png`) });
  }
}

mkdirSync(folder, { recursive: true });
const { link, end } = await served();
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
try {
  const page = await browser.newPage();
  await page.goto(link);
  await page.getByRole("heading", { name: "Runs", exact: true }).waitFor();
  if (forDocs) await shoot(page, "light", "laptop");
  else
    for (const theme of ["light", "dark"] as const)
      for (const size of ["phone", "laptop", "wide"] as const) await shoot(page, theme, size);
} finally {
  await browser.close();
  end();
  rmSync(home, { recursive: true, force: true });
}
