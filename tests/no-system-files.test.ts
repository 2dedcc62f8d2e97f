// No test links to a real file of the system or lets a program write one: a slip of the code would hurt the machine.
import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");
const files = ["src", "tests"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:test|crash|fuzz|agents)\.ts$|-suite\.ts$/.test(path))
    .map((path) => join(folder, path)),
);

it("tests link to canaries of their own, and to no file of the system", () => {
  const linking = /symlink(?:Sync)?\(\s*["'`]\/(?:etc|usr|bin|sbin|var|root|home)\b|target: "\/etc|\+\/etc\//;
  const found = files.filter(
    (file) => file !== "tests/no-system-files.test.ts" && linking.test(readFileSync(join(root, file), "utf8")),
  );
  expect(files.length).toBeGreaterThan(200);
  expect(found).toEqual([]);
});

it("no program that a test starts is handed a file of the system", () => {
  // Pure judges are asked about such names as text; nothing there can open a file.
  const pure =
    /^src\/(?:core\/(?:commands|patch|secrets|machine)|workspace\/(?:judge|inspect\/rules)|oracle\/bundle\/corpus|platform\/paths\/corpus)/;
  const real = /"\/etc\/(?:passwd|shadow|hosts|group|sudoers|fstab|profile)\b/;
  const found = files.filter((file) => !pure.test(file) && real.test(readFileSync(join(root, file), "utf8")));
  expect(found).toEqual([]);
});
