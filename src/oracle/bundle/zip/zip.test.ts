// The ZIP bundle: its shape, its bytes, what other programs read from it, and that nothing is left behind.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FailureError } from "../../../core/contract/index.ts";
import { readArchive } from "../../../../tests/support/bundle/archive.ts";
import { makePlace, makeRepository, type Place, put } from "../../../../tests/support/bundle/folders.ts";
import {
  type BundlePlan,
  manifestOf,
  packageFolder,
  planBundle,
  verifyPackage,
  writeText,
  writeZip,
} from "../index.ts";
import { canaryFile } from "../../../../tests/support/canary-file.ts";

const has = (program: string) => spawnSync(program, ["--help"], { stdio: "ignore" }).error === undefined;
const options = { generatedBy: "oracle test" };
const sha256 = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest("hex");

function fill(place: Place): void {
  put(place, { path: "src/b.ts", content: "export const b = 1;\r\n" });
  put(place, { path: "src/a.ts", content: "export const a = 1;\n".repeat(500) });
  put(place, { path: "ünïcode/名前.md", content: "# ü" });
  put(place, { path: "empty.txt", content: "" });
  put(place, { path: ".env", content: "A=1\n" });
}
const planOf = async (place: Place): Promise<BundlePlan> => await planBundle({ root: place.root, patterns: ["."] });

/** Packs in a process of its own and gives the code of its failure. */
function packElsewhere(root: string, path: string, env: NodeJS.ProcessEnv, wrapper: readonly string[] = []): string {
  const script = `import { planBundle, writeZip } from ${JSON.stringify(join(import.meta.dirname, "../index.ts"))};
    const [root, path] = process.argv.slice(1);
    const plan = await planBundle({ root, patterns: ["."] });
    try { await writeZip(plan, path, { generatedBy: "t" }); } catch (error) { console.log(error.failure?.code ?? error); }`;
  const node = [process.execPath, "--input-type=module", "-e", script, "--", root, path];
  const [program = "", ...args] = [...wrapper, ...node];
  const done = spawnSync(program, args, { encoding: "utf8", env: { ...process.env, ...env } });
  if (done.status !== 0) throw new Error(done.stderr);
  return done.stdout.trim();
}

describe("the ZIP bundle", () => {
  it("[Z-3] has the package folder, its three documents and the files under files/", async () => {
    using place = makePlace();
    fill(place);
    const { path } = await writeZip(await planOf(place), join(place.base, "p.zip"), options);
    expect((await readArchive(path)).map(({ name }) => name)).toEqual([
      `${packageFolder}/CONTEXT_PACKAGE.md`,
      `${packageFolder}/manifest.json`,
      `${packageFolder}/excluded-files.json`,
      ...["empty.txt", "src/a.ts", "src/b.ts", "ünïcode/名前.md"].map((name) => `${packageFolder}/files/${name}`),
    ]);
  });

  it("[Z-4] [Z-5] [Z-6] tells the reader where to start, every file with size and hash, and what was left out", async () => {
    using place = makePlace();
    fill(place);
    const seen = new Map<string, string>();
    const { path } = await writeZip(await planOf(place), join(place.base, "p.zip"), {
      ...options,
      time: Date.UTC(2026, 0, 2),
    });
    await readArchive(path, {}, (name, bytes) => seen.set(name.slice(packageFolder.length + 1), bytes.toString()));
    const readme = seen.get("CONTEXT_PACKAGE.md") ?? "";
    for (const word of ["Start here", "manifest.json", "files/", "excluded-files.json", "deliberately"])
      expect(readme).toContain(word);
    expect(JSON.parse(seen.get("manifest.json") ?? "")).toEqual({
      schemaVersion: 1,
      generatedBy: "oracle test",
      bundleFormat: "zip",
      rootLabel: "project",
      fileCount: 4,
      totalBytes: 10_025,
      filters: { patterns: ["."], maxFileBytes: 1 << 20, maxTotalBytes: 128 << 20 },
      generatedAt: "2026-01-02T00:00:00.000Z",
      files: [
        { path: "empty.txt", bytes: 0, sha256: sha256("") },
        { path: "src/a.ts", bytes: 10_000, sha256: sha256("export const a = 1;\n".repeat(500)) },
        { path: "src/b.ts", bytes: 21, sha256: sha256("export const b = 1;\r\n") },
        { path: "ünïcode/名前.md", bytes: 4, sha256: sha256("# ü") },
      ],
    });
    expect(JSON.parse(seen.get("excluded-files.json") ?? "")).toEqual({
      schemaVersion: 1,
      excluded: [{ path: ".env", reason: "secret_path" }],
    });
    expect(seen.get("files/src/b.ts")).toBe("export const b = 1;\r\n");
  });

  it("[Z-2] holds the same files in the same order as the text bundle", async () => {
    using place = makePlace();
    fill(place);
    const plan = await planOf(place);
    const { text } = await writeText(plan);
    const { path } = await writeZip(plan, join(place.base, "p.zip"), options);
    const fromText = [...text.matchAll(/^### File: (\S+)/gm)].map((match) => match[1]);
    const fromZip = (await readArchive(path)).slice(3).map(({ name }) => name.slice(`${packageFolder}/files/`.length));
    expect(fromZip).toEqual(fromText);
  });

  it("[Z-5] gives the same bytes for the same input, in another folder, at another time, in another time zone", async () => {
    using one = makePlace();
    using two = makePlace();
    for (const place of [one, two]) {
      for (const path of place === one ? ["b.txt", "a.txt"] : ["a.txt", "b.txt"]) put(place, { path, content: path });
      for (const path of ["a.txt", "b.txt"]) utimesSync(join(place.root, path), 1_700_000_000, 1_700_000_000);
    }
    const bytes = (
      [
        [one, "UTC"],
        [two, "Pacific/Auckland"],
      ] as const
    ).map(([place, zone]) => {
      const path = join(place.base, "p.zip");
      packElsewhere(place.root, path, { TZ: zone });
      return readFileSync(path);
    });
    expect(bytes[0]?.equals(bytes[1] ?? Buffer.alloc(0))).toBe(true);
  });

  it("[Z-7] holds nothing of this machine: no times, no owners, no modes but plain ones", async () => {
    using place = makePlace();
    fill(place);
    const { path } = await writeZip(await planOf(place), join(place.base, "p.zip"), options);
    const bytes = readFileSync(path);
    expect(bytes.includes(place.base)).toBe(false);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    for (let at = bytes.indexOf("PK\x01\x02"); at >= 0; at = bytes.indexOf("PK\x01\x02", at + 1)) {
      expect(bytes.readUInt32LE(at + 12)).toBe(0x00_21_00_00);
      expect(bytes.readUInt16LE(at + 30)).toBe(0);
      expect(bytes.readUInt32LE(at + 38) >>> 16).toBe(0o100644);
    }
  });

  it.skipIf(!has("unzip"))("[Z-3] is read by unzip with the same bytes (needs unzip)", async () => {
    using place = makePlace();
    fill(place);
    const { path } = await writeZip(await planOf(place), join(place.base, "p.zip"), options);
    const out = join(place.base, "out");
    execFileSync("unzip", ["-q", path, "-d", out], { env: { ...process.env, LC_ALL: "C.UTF-8" } });
    for (const name of ["src/a.ts", "src/b.ts", "empty.txt", "ünïcode/名前.md"]) {
      expect(readFileSync(join(out, packageFolder, "files", name)).equals(readFileSync(join(place.root, name)))).toBe(
        true,
      );
    }
  });

  it.skipIf(!has("python3"))("[Z-3] is read by Python's zipfile with the same bytes (needs python3)", async () => {
    using place = makePlace();
    fill(place);
    const { path, manifest } = await writeZip(await planOf(place), join(place.base, "p.zip"), options);
    const program =
      "import sys,json,zipfile,hashlib;z=zipfile.ZipFile(sys.argv[1]);assert z.testzip() is None;print(json.dumps({n:hashlib.sha256(z.read(n)).hexdigest() for n in z.namelist()}))";
    const read = JSON.parse(execFileSync("python3", ["-c", program, path], { encoding: "utf8" })) as Record<
      string,
      string
    >;
    for (const file of manifest.files) expect(read[`${packageFolder}/files/${file.path}`]).toBe(file.sha256);
  });

  it("[Z-7] refuses to write over a file, and leaves that file alone", async () => {
    using place = makePlace();
    fill(place);
    const path = join(place.base, "p.zip");
    writeFileSync(path, "mine");
    await expect(writeZip(await planOf(place), path, options)).rejects.toMatchObject({
      failure: { code: "invalid_input" },
    });
    expect(readFileSync(path, "utf8")).toBe("mine");
  });

  it("[Z-12] plans with the manifest and leaves nothing behind", async () => {
    using place = makePlace();
    fill(place);
    makeRepository(place);
    const before = readdirSync(place.base, { recursive: true }).sort();
    const plan = await planOf(place);
    expect(manifestOf(plan, options).files).toHaveLength(4);
    expect(readdirSync(place.base, { recursive: true }).sort()).toEqual(before);
  });
});

describe("a ZIP whose files do not stand still", () => {
  it("[Z-5] leaves out a file that grew after the plan, and its manifest agrees with its bytes", async () => {
    using place = makePlace();
    fill(place);
    const plan = await planOf(place);
    writeFileSync(join(place.root, "src/a.ts"), "more\n", { flag: "a" });
    const { manifest, path, plan: packed } = await writeZip(plan, join(place.base, "p.zip"), options);
    expect(manifest.files.map((file) => file.path)).toEqual(["empty.txt", "src/b.ts", "ünïcode/名前.md"]);
    expect(packed.excluded).toContainEqual({ path: "src/a.ts", reason: "changed_during_read" });
    await verifyPackage(path, manifest);
  });

  it("[Z-7] leaves out a file that was swapped for a link after the plan", async () => {
    using place = makePlace();
    fill(place);
    const plan = await planOf(place);
    rmSync(join(place.root, "src/a.ts"));
    const canary = canaryFile();
    symlinkSync(canary.path, join(place.root, "src/a.ts"));
    const { path, plan: packed } = await writeZip(plan, join(place.base, "p.zip"), options);
    expect((await readArchive(path)).some(({ name }) => name.endsWith("src/a.ts"))).toBe(false);
    expect(packed.excluded).toContainEqual({ path: "src/a.ts", reason: "symlink_escape" });
    expect(canary.isUntouched()).toBe(true);
  });

  it("[Z-7] never reads through a link that is swapped in again and again", async () => {
    using place = makePlace();
    put(place, { path: "t/t.txt", content: "plain\n" });
    const swap =
      "const f=require('fs');const [,p,c]=process.argv;for(;;){try{f.symlinkSync(c,p+'.l');f.renameSync(p+'.l',p);f.writeFileSync(p+'.f','plain\\n');f.renameSync(p+'.f',p)}catch{}}";
    const { spawn } = await import("node:child_process");
    const canary = canaryFile();
    const racer = spawn(process.execPath, ["-e", swap, join(place.root, "t/t.txt"), canary.path], {
      stdio: "ignore",
    });
    try {
      const seen = new Set<string>();
      for (let round = 0; round < 300; round += 1) {
        // Nothing was there to pack at that moment; any other trouble is a fault.
        const plan = await planBundle({ root: place.root, patterns: ["t/t.txt"] }).catch((error: unknown) => {
          if (!(error instanceof FailureError)) throw error;
        });
        for (const file of plan?.files ?? []) {
          expect(file.sha256).toBe(sha256("plain\n"));
          seen.add("packed");
        }
        for (const { reason } of plan?.excluded ?? []) seen.add(reason);
      }
      expect(seen.size).toBeGreaterThan(0);
      for (const reason of seen)
        expect(["packed", "symlink", "symlink_escape", "not_found", "changed_during_read"]).toContain(reason);
      expect(canary.isUntouched()).toBe(true);
    } finally {
      racer.kill("SIGKILL");
    }
  });
});

describe("a temporary ZIP", () => {
  it("[Z-13] is gone after a failure, an interrupt and a full disk", async () => {
    using place = makePlace();
    put(place, { path: "big.txt", size: 900_000 });
    const plan = await planOf(place);
    const stop = new AbortController();
    const stopped = writeZip(plan, join(place.base, "p.zip"), { ...options, signal: stop.signal });
    stop.abort();
    await expect(stopped).rejects.toMatchObject({ failure: { code: "interrupted" } });
    mkdirSync(join(place.base, "sub"));
    await expect(writeZip(plan, join(place.base, "sub"), options)).rejects.toThrow();
    expect(readdirSync(place.base).sort()).toEqual(["outside", "project", "sub"]);
  });

  it.skipIf(!existsSync("/dev/full"))("[Z-13] says plainly that the disk is full (needs /dev/full)", async () => {
    using place = makePlace();
    fill(place);
    const plan = await planOf(place);
    const path = join(place.base, "p.zip");
    const outcome = packElsewhere(plan.root, path, {}, ["bash", "-c", 'ulimit -f 1; trap "" XFSZ; exec "$@"', "x"]);
    expect(outcome).toBe("store_full");
    expect(existsSync(path)).toBe(false);
  });
});
