// A plan names each file with its reason, and keeps the limits.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, linkSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makePlace, put } from "../../../tests/support/bundle/folders.ts";
import { planBundle } from "./index.ts";

const token = `gh${"p_"}A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8`;
const sha256 = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");
const reasons = (excluded: readonly { path: string; reason: string }[]) =>
  Object.fromEntries(excluded.map(({ path, reason }) => [path, reason]));

describe("the plan of a bundle", () => {
  it("[Z-5] has each file with its bytes and SHA-256, sorted", async () => {
    using place = makePlace();
    put(place, { path: "b.ts", content: "two\r\n" });
    put(place, { path: "a.ts", content: "öne" });
    put(place, { path: "empty", content: "" });
    const plan = await planBundle({ root: place.root, patterns: ["."] });
    expect(plan.files).toEqual([
      { path: "a.ts", bytes: 4, sha256: sha256("öne"), tokens: 1 },
      { path: "b.ts", bytes: 5, sha256: sha256("two\r\n"), tokens: 2 },
      { path: "empty", bytes: 0, sha256: sha256(""), tokens: 0 },
    ]);
    expect(plan.totalBytes).toBe(9);
  });

  it("[Z-6] [Z-9] [Z-10] leaves out binaries by content, large files, secrets, links and special files, each with its reason", async () => {
    using place = makePlace();
    put(place, { path: "ok.svg", content: "<svg/>" });
    put(place, { path: "image.txt", content_b64: "iVBORw0KGgoAAAANSUhEUgAAAAA=" });
    put(place, { path: "latin1.txt", content_b64: Buffer.from("caf\xe9", "latin1").toString("base64") });
    put(place, { path: "utf16.txt", content_b64: Buffer.from("\ufeffhello", "utf16le").toString("base64") });
    put(place, {
      path: "late.bin",
      content_b64: Buffer.concat([Buffer.alloc(100_000, "x"), Buffer.alloc(1)]).toString("base64"),
    });
    put(place, { path: "big.txt", size: 3000 });
    put(place, { path: "server.pem" });
    put(place, { path: "pkg/.env.production" });
    put(place, { path: "config.ts", content: `const t = "${token}";\n` });
    symlinkSync("ok.svg", join(place.root, "inside-link"));
    symlinkSync("../outside/secret.txt", join(place.root, "outside-link"));
    symlinkSync("nowhere", join(place.root, "dangling"));
    execFileSync("mkfifo", [join(place.root, "pipe")]);
    const plan = await planBundle({ root: place.root, patterns: [".", "pipe"], maxFileBytes: 2000 });
    expect(plan.files.map(({ path }) => path)).toEqual(["ok.svg"]);
    expect(reasons(plan.excluded)).toEqual({
      "image.txt": "binary",
      "latin1.txt": "not_utf8",
      "utf16.txt": "binary",
      "late.bin": "too_large",
      "big.txt": "too_large",
      "server.pem": "secret_path",
      "pkg/.env.production": "secret_path",
      "config.ts": "secret_content",
      "inside-link": "symlink",
      "outside-link": "symlink_escape",
      dangling: "symlink",
      pipe: "not_regular",
    });
    expect(plan.secretLabels).toEqual(["github_pat"]);
  });

  it("[T-24] sends a file with its secrets replaced when that was asked for, and says so", async () => {
    using place = makePlace();
    put(place, { path: "config.ts", content: `const t = "${token}";\n` });
    const plan = await planBundle({ root: place.root, patterns: ["."], onSecret: "redact" });
    const sent = 'const t = "***REDACTED***";\n';
    expect(plan.files).toEqual([
      { path: "config.ts", bytes: sent.length, sha256: sha256(sent), tokens: 7, redacted: true },
    ]);
    expect(plan.secretLabels).toEqual(["github_pat"]);
  });

  it("[T-23] scans a file larger than the buffer in pieces, also over their borders", async () => {
    using place = makePlace();
    const line = "const nothing = compute(input);\n";
    const at = 1 << 20;
    const text = line.repeat(70_000);
    put(place, { path: "big.ts", content: `${text.slice(0, at - 20)}\n${token}\n${text.slice(at)}` });
    put(place, { path: "clean.ts", content: text });
    put(place, {
      path: "bad.ts",
      content_b64: Buffer.concat([Buffer.from(text), Buffer.from([0xff])]).toString("base64"),
    });
    const wide = { root: place.root, patterns: ["."], maxFileBytes: 10 << 20 };
    const plan = await planBundle(wide);
    expect(reasons(plan.excluded)).toEqual({ "big.ts": "secret_content", "bad.ts": "not_utf8" });
    expect(plan.files).toEqual([
      { path: "clean.ts", bytes: text.length, sha256: sha256(text), tokens: Math.ceil(text.length / 4) },
    ]);
    const redacted = await planBundle({ ...wide, onSecret: "redact" });
    expect(redacted.files.find(({ path }) => path === "big.ts")).toMatchObject({
      redacted: true,
      bytes: text.length + 1 - 20 + 1 + 14,
    });
  });

  it("[Z-8] refuses a total above the limit and names the largest files", async () => {
    using place = makePlace();
    for (const [name, size] of [
      ["small.txt", 10],
      ["large.txt", 900],
      ["middle.txt", 500],
    ] as const)
      put(place, { path: name, size });
    const asked = planBundle({ root: place.root, patterns: ["."], maxTotalBytes: 1000 });
    await expect(asked).rejects.toMatchObject({
      failure: {
        code: "invalid_input",
        details: {
          reason: "total_too_large",
          largest: [
            { path: "large.txt", bytes: 900 },
            { path: "middle.txt", bytes: 500 },
          ],
        },
      },
    });
    await expect(asked).rejects.toThrow(/large\.txt \(900 bytes\)/);
    expect(readdirSync(place.base).sort()).toEqual(["outside", "project"]);
  });

  it("records a file that has another name elsewhere", async () => {
    using place = makePlace();
    put(place, { path: "a.txt", content: "x" });
    linkSync(join(place.root, "a.txt"), join(place.outside, "same.txt"));
    const plan = await planBundle({ root: place.root, patterns: ["."] });
    expect(plan.files[0]).toMatchObject({ path: "a.txt", hardlink: true });
  });

  it("does not go through a folder that is a link, also when the file is named", async () => {
    using place = makePlace();
    put(place, { path: "real/a.ts", content: "x" });
    symlinkSync("real", join(place.root, "alias"));
    symlinkSync(place.outside, join(place.root, "out"));
    const plan = await planBundle({ root: place.root, patterns: ["alias/a.ts", "out/secret.txt"] });
    expect(plan.files).toEqual([]);
    expect(reasons(plan.excluded)).toEqual({ "alias/a.ts": "symlink", "out/secret.txt": "symlink_escape" });
  });

  it.skipIf(process.getuid?.() === 0)("leaves out what may not be read (needs a user without all rights)", async () => {
    using place = makePlace();
    put(place, { path: "locked.txt" });
    chmodSync(join(place.root, "locked.txt"), 0);
    expect(reasons((await planBundle({ root: place.root, patterns: ["."] })).excluded)).toEqual({
      "locked.txt": "not_readable",
    });
  });

  it("stops when it is aborted", async () => {
    using place = makePlace();
    put(place, { path: "a.txt" });
    const asked = planBundle({ root: place.root, patterns: ["."], signal: AbortSignal.abort() });
    await expect(asked).rejects.toMatchObject({ failure: { code: "interrupted" } });
  });

  it("refuses a root that is not a folder", async () => {
    using place = makePlace();
    writeFileSync(join(place.root, "file"), "x");
    mkdirSync(join(place.root, "sub"));
    await expect(planBundle({ root: join(place.root, "file"), patterns: ["."] })).rejects.toMatchObject({
      failure: { code: "not_found" },
    });
  });
});
