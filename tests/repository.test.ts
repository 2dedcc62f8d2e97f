// What this repository itself must not hold.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { findSecrets } from "../src/core/secrets/index.ts";

const root = resolve(import.meta.dirname, "..");
const inGit = existsSync(join(root, ".git"));
const tracked = inGit
  ? execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0").filter(Boolean)
  : [];
/** Adversarial cases are made of synthetic secrets on purpose. */
const synthetic = (file: string) => file.startsWith("tests/corpus/");

/** A home folder; names that any machine could have are examples. */
const localPath =
  /\/(?:home|Users)\/(?!user\b|[a-z]\b|ann\b|linuxbrew\b)[a-z][\w.-]*|(?<![\w.])\/root\/(?!\.ssh\b)[a-z.][\w.-]*|\b[A-Z]:\\{1,2}Users\\{1,2}(?!user\b|[a-z]\b)[a-z][\w.-]*|\/var\/folders\/\w+/g;

describe.skipIf(!inGit)("this repository (needs a git checkout)", () => {
  it("[S-13] holds no credential outside the synthetic corpus, and no path of a user's machine", () => {
    const found = tracked
      .filter((file) => existsSync(join(root, file)))
      .flatMap((file) => {
        const bytes = readFileSync(join(root, file));
        if (bytes.includes(0)) return [];
        const text = bytes.toString("utf8");
        const secrets = synthetic(file) ? [] : findSecrets(text, { file }).map(({ label }) => `${file}: ${label}`);
        const paths = text.match(localPath) ?? [];
        return [...secrets, ...paths.map((path) => `${file}: ${path}`)];
      });
    expect(found).toEqual([]);
  });

  it("[S-13] tracks no state, profile or log of ours", () => {
    expect(tracked.filter((file) => /(^|\/)(\.thehood|\.oracle)\/|\.log$|browser-profile/.test(file))).toEqual([]);
  });
});
