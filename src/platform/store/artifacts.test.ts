import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { FailureError, type ArtifactRef, type Store } from "../../core/contract/index.ts";
import { openStore } from "./index.ts";

const about = { kind: "diff", mediaType: "text/x-diff", summary: "a patch" } as const;
const clock = { now: () => Date.now() };
let folder: string;
let dir: string;
let store: Store;

beforeEach(() => {
  folder = tempFolder("store-");
  dir = join(folder, "s");
  store = openStore(dir, { clock, maxArtifactBytes: 1_000_000 });
});
afterEach(async () => {
  await store.close();
});

function pathOf({ ref }: ArtifactRef): string {
  return join(dir, "artifacts", ref.slice(7, 9), ref.slice(9));
}

async function codeOf(work: () => unknown): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof FailureError) return error.failure.code;
    throw error;
  }
}

describe("an artifact", () => {
  it("is a private file named by its hash, and the same bytes are one file", async () => {
    const ref = await store.artifacts.put("hello", about);
    expect(ref).toEqual({
      ref: "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
      bytes: 5,
      ...about,
    });
    expect(statSync(pathOf(ref)).mode & 0o777).toBe(0o600);
    expect(statSync(join(pathOf(ref), "..")).mode & 0o777).toBe(0o700);
    const { ino } = statSync(pathOf(ref));
    const other = openStore(dir, { clock });
    expect((await other.artifacts.put(Buffer.from("hello"), { ...about, summary: "again" })).ref).toBe(ref.ref);
    await other.close();
    expect(statSync(pathOf(ref)).ino).toBe(ino);
    expect(readdirSync(join(dir, "artifacts", "tmp"))).toEqual([]);
  });

  it("[R-71] is never overwritten: other bytes are another file", async () => {
    const refs = await Promise.all(
      Array.from({ length: 20 }, (_, pass) => store.artifacts.put(`summary of pass ${pass}`, about)),
    );
    expect(new Set(refs.map((ref) => ref.ref)).size).toBe(20);
    for (const [pass, ref] of refs.entries())
      expect(Buffer.from(await store.artifacts.read(ref.ref)).toString()).toBe(`summary of pass ${pass}`);
  });

  it("that was altered on disk is made whole when the right bytes come again", async () => {
    const ref = await store.artifacts.put("precious", about);
    chmodSync(pathOf(ref), 0o600);
    writeFileSync(pathOf(ref), "preciouS");
    expect(await codeOf(() => store.artifacts.read(ref.ref))).toBe("store_corrupt");
    const other = openStore(dir, { clock });
    await other.artifacts.put("precious", about);
    expect(readFileSync(pathOf(ref), "utf8")).toBe("precious");
    await other.close();
  });

  it("[R-71] that was altered on disk is handed out neither whole nor in parts", async () => {
    const ref = await store.artifacts.put("hello world", about);
    expect(Buffer.from((await store.artifacts.slice(ref.ref, 0, 5)).bytes).toString()).toBe("hello");
    chmodSync(pathOf(ref), 0o600);
    writeFileSync(pathOf(ref), "jello world");
    utimesSync(pathOf(ref), 1_000, 1_000);
    expect(await codeOf(() => store.artifacts.slice(ref.ref, 0, 5))).toBe("store_corrupt");
    expect(await codeOf(() => store.artifacts.slice(ref.ref, 0, 100))).toBe("store_corrupt");
    expect(await codeOf(() => store.artifacts.read(ref.ref))).toBe("store_corrupt");
  });

  it("has a limit, a grammar for its name, and is looked for nowhere else", async () => {
    expect(await codeOf(() => store.artifacts.put(new Uint8Array(1_000_001), about))).toBe("invalid_input");
    for (const name of ["../../etc/passwd", "sha256:../../../../etc/passwd", "", "sha256:ABC"])
      for (const work of [
        () => store.artifacts.read(name),
        () => store.artifacts.has(name),
        () => store.artifacts.slice(name, 0, 1),
      ])
        expect(await codeOf(work)).toBe("invalid_input");
    const unknown = `sha256:${"0".repeat(64)}`;
    expect(await store.artifacts.has(unknown)).toBe(false);
    expect(await codeOf(() => store.artifacts.read(unknown))).toBe("not_found");
    for (const wrong of [-1, 0.5, Number.NaN, 2 ** 60])
      expect(await codeOf(() => store.artifacts.slice(unknown, wrong, 1))).toBe("invalid_input");
  });

  it("that is a link is not followed", async () => {
    const secret = join(folder, "secret");
    writeFileSync(secret, "hello");
    const name = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
    mkdirSync(join(dir, "artifacts", name.slice(0, 2)));
    symlinkSync(secret, join(dir, "artifacts", name.slice(0, 2), name.slice(2)));
    expect(await codeOf(() => store.artifacts.read(`sha256:${name}`))).toBe("permission_denied");
  });

  it("half written by a process that died long ago is swept, a fresh one is left alone", async () => {
    const old = join(dir, "artifacts", "tmp", "old");
    const fresh = join(dir, "artifacts", "tmp", "fresh");
    writeFileSync(old, "x");
    writeFileSync(fresh, "x");
    utimesSync(old, 1, 1);
    await openStore(dir, { clock }).close();
    expect([existsSync(old), existsSync(fresh)]).toEqual([false, true]);
  });
});
