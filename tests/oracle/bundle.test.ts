// The files of a request through the real command: selected once, sent as text or as a ZIP, and gone afterwards.
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Preview, RunResult } from "../../src/core/contract/transport/index.ts";
import { readArchive } from "../support/bundle/archive.ts";
import { Bench } from "./bench.ts";
import { bin } from "./built.ts";
import { waitFor } from "./wait.ts";

const secret = ["ghp", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("_");
const folder = "oracle-context-package";

let bench: Bench;
beforeEach(() => {
  bench = new Bench().withRepository({
    "src/b.ts": "export const b = 2;\n",
    "src/a.ts": "export const a = `\n```\n`;",
    "src/deep/c.ts": "export const c = 3;\r\n",
    "README.md": "# Read me\n",
    ".gitignore": "*.log\nbuild/\n",
  });
  bench.write(".env", `TOKEN=${secret}\n`);
  bench.write("src/id_rsa", "not really a key\n");
  bench.write("src/debug.log", "noise\n");
  bench.write("build/out.js", "built\n");
  bench.write("src/key.ts", `export const token = "${secret}";\n`);
  writeFileSync(join(bench.repo, "src/pixel.bin"), Buffer.from([0x89, 0x50, 0, 1, 2, 3]));
  mkdirSync(join(bench.dir, "outside"));
  writeFileSync(join(bench.dir, "outside/plan.md"), "the plan\n");
  symlinkSync(join(bench.dir, "outside/plan.md"), join(bench.repo, "src/plan.md"));
  bench.double([{ answer: "thanks" }]);
});
afterEach(() => bench.dispose());

const included = ["src/a.ts", "src/b.ts", "src/deep/c.ts"];
const preview = async (...flags: string[]) => {
  const ran = await bench.run(["-p", "look", "--dry-run", "json", ...flags]);
  expect(ran.code, ran.stderr).toBe(0);
  return JSON.parse(ran.stdout) as Preview;
};
const zipFlags = ["--browser-bundle-files", "src", "--browser-bundle-format", "zip"];
interface Sent {
  readonly name: string;
  readonly path: string;
  readonly there: boolean;
  readonly sha256: string;
}
const attachments = (turn: number) => (bench.sent[turn]?.["attachments"] ?? []) as Sent[];
const zips = () =>
  readdirSync(bench.dir, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".zip"));

/** Root reads every folder as long as it has its special rights. */
const plainly = process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] : ["env"];
const canBePlain = spawnSync(plainly[0] ?? "", [...plainly.slice(1), "true"]).status === 0;

describe("the files of a request", () => {
  it("[Z-1][Z-9][Z-10] go along as text by default, without secrets, binaries, links out and ignored files", async () => {
    expect((await bench.run(["-p", "look at these", "--browser-bundle-files", "src", ".env*"])).code).toBe(0);
    const prompt = String(bench.sent[0]?.["prompt"]);
    expect(prompt.startsWith("look at these\n\n")).toBe(true);
    for (const path of included) expect(prompt).toContain(`### File: ${path}`);
    expect(prompt).toContain("````ts\nexport const a = `\n```\n`;\n````");
    expect(prompt).toContain("export const c = 3;\r\n");
    for (const bad of [secret, "not really a key", "the plan", "noise", "built"]) expect(prompt).not.toContain(bad);
    const bundle = JSON.parse(readFileSync(bench.file(bench.sessionIds[0] ?? "", "bundle.json"), "utf8")) as {
      excluded: { path: string; reason: string }[];
    };
    const reasons = Object.fromEntries(bundle.excluded.map(({ path, reason }) => [path, reason]));
    expect(reasons).toMatchObject({
      ".env": "secret_path",
      "src/id_rsa": "secret_path",
      "src/key.ts": "secret_content",
      "src/pixel.bin": "binary",
    });
    expect(reasons["src/plan.md"]).toMatch(/symlink/);
  });

  it.skipIf(!canBePlain).each(["with git", "without git"])(
    "[Z-6] a folder that may not be read is listed with its reason, and refused where it was named (%s; needs setpriv)",
    async (how) => {
      if (how === "without git") rmSync(join(bench.repo, ".git"), { recursive: true });
      bench.write("src/locked/d.ts", "export const d = 4;\n");
      const locked = join(bench.repo, "src/locked");
      chmodSync(locked, 0);
      try {
        const ask = async (...flags: string[]) => {
          const words = [...plainly, process.execPath, bin, "-p", "look", ...flags];
          return await bench.ended(bench.startProgram(words[0] ?? "", words.slice(1), bench.repo));
        };
        const shown = await ask("--dry-run", "json", "-f", "src");
        expect(shown.code, shown.stderr).toBe(0);
        const { bundle } = JSON.parse(shown.stdout) as Preview;
        expect(bundle.excluded).toContainEqual({ path: "src/locked/", reason: "not_readable" });
        expect(bundle.files.map(({ path }) => path)).toEqual(included);
        const named = await ask("--dry-run", "-f", "src/locked", "src/a.ts");
        expect(named.stderr + named.stdout).toContain("src/locked is not sent: not readable.");
      } finally {
        chmodSync(locked, 0o755);
      }
    },
  );

  it("take globs and !excludes, in a stable order", async () => {
    const { bundle } = await preview("-f", "src/**/*.ts", "README.md", "!src/deep/**");
    expect(bundle.files.map(({ path }) => path)).toEqual(["README.md", "src/a.ts", "src/b.ts"]);
  });

  it("[Z-2] the format changes neither the selection nor its order", async () => {
    const text = await preview("--browser-bundle-files", "src");
    const zip = await preview(...zipFlags);
    expect(zip.bundle.files).toEqual(text.bundle.files);
    expect(zip.bundle.excluded).toEqual(text.bundle.excluded);
    expect(zip.bundle.files.map(({ path }) => path)).toEqual(included);
  });

  it("[Z-3][Z-4][Z-5][Z-6][Z-7][Z-11] as a ZIP are one package with its documents, the same bytes each time", async () => {
    expect((await bench.run(["-p", "look", ...zipFlags, "--keep-bundle"])).code).toBe(0);
    expect(bench.sent[0]?.["prompt"]).toMatch(/^look\n\n[^\n]*start with [^\n]*CONTEXT_PACKAGE\.md[^\n]*$/);
    const [attachment] = attachments(0);
    expect(attachment).toMatchObject({ there: true, name: `${folder}.zip` });
    const path = attachment?.path ?? "";
    const listed = execFileSync("unzip", ["-Z1", path], { encoding: "utf8" }).trim().split("\n");
    expect(listed).toEqual([
      `${folder}/CONTEXT_PACKAGE.md`,
      `${folder}/manifest.json`,
      `${folder}/excluded-files.json`,
      ...included.map((name) => `${folder}/files/${name}`),
    ]);
    const entries = new Map((await readArchive(path)).map((entry) => [entry.name, entry]));
    expect(entries.size).toBe(listed.length);
    const textOf = (name: string) => execFileSync("unzip", ["-p", path, `${folder}/${name}`], { encoding: "utf8" });
    for (const word of ["Start here", "manifest.json", "files/", "excluded-files.json"])
      expect(textOf("CONTEXT_PACKAGE.md")).toContain(word);
    expect(JSON.parse(textOf("manifest.json"))).toMatchObject({
      schemaVersion: 1,
      generatedBy: expect.stringContaining("oracle"),
      bundleFormat: "zip",
      rootLabel: "repo",
      fileCount: 3,
      totalBytes: included.map((name) => bench.read(name).length).reduce((a, b) => a + b),
      files: included.map((name) => ({
        path: name,
        bytes: bench.read(name).length,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      })),
    });
    const excluded = JSON.parse(textOf("excluded-files.json")) as {
      schemaVersion: number;
      excluded: object[];
    };
    expect(excluded.schemaVersion).toBe(1);
    expect(excluded.excluded).toContainEqual({ path: "src/key.ts", reason: "secret_content" });
    await bench.run(["-p", "look", ...zipFlags]);
    const [again] = attachments(1);
    expect(again?.sha256).toBe(attachment?.sha256);
  });

  it("[Z-8] that are too large stay out, and too many together are an error that says which to leave out", async () => {
    bench.write("src/big.ts", "x".repeat(5000));
    const { bundle } = await preview("-f", "src", "--max-file-size", "1000");
    expect(bundle.excluded).toContainEqual({ path: "src/big.ts", reason: "too_large" });
    const ran = await bench.run(["-p", "look", ...zipFlags, "--max-total-size", "2000"]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/src\/big\.ts \(5000 bytes\)/);
    expect(bench.sent).toEqual([]);
    expect(zips()).toEqual([]);
    expect(bench.session().result.status).toBe("error");
  });

  it("[Z-12] a dry run shows format, count, bytes, planned path and manifest, and leaves nothing behind", async () => {
    const ran = await bench.run(["-p", "look", ...zipFlags, "--dry-run"]);
    expect(ran.code).toBe(0);
    for (const line of [
      /Bundle format: zip/,
      /Files: 3/,
      /Uncompressed bytes: \d+/,
      /Planned temporary ZIP: .*\.zip/,
      /"schemaVersion": 1/,
    ])
      expect(ran.stdout).toMatch(line);
    const { bundle } = await preview(...zipFlags);
    expect(bundle).toMatchObject({ format: "zip", fileCount: 3, manifest: { fileCount: 3 } });
    expect(existsSync(bench.home)).toBe(false);
    expect(zips()).toEqual([]);
    expect(bench.record).toEqual([]);
  });

  it("--files-report and --count-tokens show and send nothing", async () => {
    for (const flag of ["--files-report", "--count-tokens"]) {
      const shown = await bench.run(["-p", "look", "-f", "src", flag]);
      expect(shown.code, shown.stderr).toBe(0);
      expect(shown.stdout).toContain("src/a.ts".slice(flag === "--files-report" ? 0 : 8));
      expect(bench.sent).toEqual([]);
    }
  });

  it("--render prints the message as it would be sent, and --files-report what each file costs", async () => {
    const rendered = await bench.run(["-p", "look", "-f", "src", "--render"]);
    await bench.run(["-p", "look", "-f", "src"]);
    expect(rendered.stdout).toBe(`${String(bench.sent[0]?.["prompt"])}\n`);
    const report = await bench.run(["-p", "look", "-f", "src", "--dry-run", "--files-report"]);
    expect(report.stdout).toMatch(/\d+ tokens +\d+ bytes {2}src\/a\.ts/);
    const counted = await bench.run(["-p", "look", "-f", "src", "--count-tokens"]);
    expect(counted.stdout).toMatch(/^Tokens: about \d+ of \d+/m);
    const { tokens, bundle } = await preview("-f", "src", "--count-tokens");
    const fromBytes = Math.ceil(bundle.uncompressedBytes / 4);
    expect(tokens).toMatchObject({ exact: false });
    expect(tokens.count).toBeGreaterThanOrEqual(fromBytes);
  });

  it("warns over the model's budget and says what to drop", async () => {
    bench.write("src/huge.ts", "const x = 1;\n".repeat(60_000));
    const { warnings, tokens } = await preview("-f", "src", "-m", "unknown-model");
    expect(tokens.count).toBeGreaterThan(tokens.budget);
    expect(warnings.join("\n")).toContain("src/huge.ts");
  });

  it("that do not fit into a page's composer go as one text file, gone after the send", async () => {
    bench.write("src/long.ts", "// filler line\n".repeat(6000));
    expect((await bench.run(["-p", "look", "-f", "src"])).code).toBe(0);
    const [attachment] = attachments(0);
    expect(attachment).toMatchObject({ name: "oracle-context.md", there: true });
    expect(existsSync(attachment?.path ?? "")).toBe(false);
  });

  it("a pattern that matches nothing is said before anything is sent", async () => {
    const ran = await bench.run(["-p", "look", "-f", "no/such/file.ts"]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("no/such/file.ts");
    expect(bench.sent).toEqual([]);
  });

  it("oracle bundle makes text on stdout or a ZIP at a path, and stops", async () => {
    const text = await bench.run(["bundle", "-f", "src"]);
    expect(text.stdout).toContain("### File: src/a.ts");
    const out = join(bench.dir, "made.zip");
    const zip = await bench.run(["bundle", "-f", "src", "--browser-bundle-format", "zip", "-o", out, "--json"]);
    expect(JSON.parse(zip.stdout)).toMatchObject({ path: out, format: "zip", fileCount: 3 });
    expect((await readArchive(out)).length).toBe(6);
    expect((await bench.run(["bundle", "-f", "src", "--browser-bundle-format", "zip", "-o", out])).stderr).toContain(
      "exists",
    );
    const mine = join(bench.dir, "mine.md");
    writeFileSync(mine, "my own notes\n");
    for (const there of [mine, bench.dir]) {
      const ran = await bench.run(["bundle", "-f", "src", "-o", there]);
      expect(ran).toMatchObject({ code: 1, stderr: expect.stringMatching(/exists already\.\n→ Remove it/) });
    }
    expect(readFileSync(mine, "utf8")).toBe("my own notes\n");
    expect((await bench.run(["bundle"])).stderr).toContain("no files to bundle");
    expect(bench.record).toEqual([]);
    expect(bench.sessionIds).toEqual([]);
  });
});

describe("the temporary ZIP", () => {
  it("[Z-13] is gone after the send and after a failure, and stays when asked to", async () => {
    await bench.run(["-p", "look", ...zipFlags]);
    expect(zips()).toEqual([]);
    for (const turn of [{ crash: "the page died" }, { bug: "oops" }, { stray: "oops" }, { hang: true }]) {
      bench.double([turn]);
      await bench.run(["-p", "look", ...zipFlags, "--timeout", "5s"]);
      expect(bench.sent[0]?.["attachments"]).toMatchObject([{ there: true }]);
      expect(zips(), JSON.stringify(turn)).toEqual([]);
    }
    bench.double([{ answer: "x" }]);
    await bench.run(["-p", "look", ...zipFlags, "--keep-bundle"]);
    expect(zips()).toHaveLength(1);
  });

  it.each(["SIGINT", "SIGTERM"] as const)("[Z-13] is gone after %s", async (signal) => {
    bench.double([{ hang: true }]);
    const child = bench.start(["-p", "look", ...zipFlags], { ORACLE_NO_DETACH: "1" });
    const ended = bench.ended(child);
    await waitFor(() => bench.sent.length > 0, "the send");
    expect(zips()).toHaveLength(1);
    child.kill(signal);
    await ended;
    expect(zips()).toEqual([]);
  });

  it("[Z-13] is gone after kill -9 at the next command", async () => {
    bench.double([{ hang: true }]);
    const child = bench.start(["-p", "look", ...zipFlags], { ORACLE_NO_DETACH: "1" });
    const ended = bench.ended(child);
    await waitFor(() => bench.sent.length > 0, "the send");
    child.kill("SIGKILL");
    await ended;
    await bench.run(["status"]);
    expect(zips()).toEqual([]);
  });
});

describe("secrets in files", () => {
  const resultOf = (stdout: string) => JSON.parse(stdout) as RunResult;

  it("[T-23] are found and reported by label, and the file stays out", async () => {
    const ran = await bench.run(["-p", "look", "-f", "src", "--json"]);
    expect(resultOf(ran.stdout).secretScan).toMatchObject({ status: "matches_detected" });
    expect(JSON.stringify(bench.sent)).not.toContain(secret);
    expect(ran.stdout + ran.stderr).not.toContain(secret);
  });

  it("[T-24] --sanitize-prompt sends the file with the secret replaced", async () => {
    await bench.run(["-p", "look", "-f", "src", "--sanitize-prompt"]);
    const prompt = String(bench.sent[0]?.["prompt"]);
    expect(prompt).toContain("### File: src/key.ts");
    expect(prompt).toContain("***REDACTED***");
    expect(prompt).not.toContain(secret);
  });

  it("[T-25] --secret-scan stops the run because of a file too", async () => {
    const dry = await bench.run(["-p", "look", "-f", "src", "--secret-scan", "--dry-run"]);
    expect(dry).toMatchObject({ code: 1, stderr: expect.stringContaining("Secrets were found") });
    const ran = await bench.run(["-p", "look", "-f", "src", "--secret-scan", "--json"]);
    expect(ran.code).toBe(3);
    expect(resultOf(ran.stdout)).toMatchObject({ status: "secret_detected" });
    expect(bench.record).toEqual([]);
  });
});
