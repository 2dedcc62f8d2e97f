import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { histories, readHistory } from "./recorded.ts";
import { viewsDigest } from "./views.ts";

it.each(histories)("[R-45] the views of $version $name are the same, byte for byte", ({ version, name, file }) => {
  const recorded = JSON.parse(readFileSync(join(import.meta.dirname, version, "views.json"), "utf8")) as Readonly<
    Record<string, string>
  >;
  const when = `where a view was meant to change: node tests/histories/record.ts ${version} --views`;
  expect(viewsDigest(readHistory(file)), when).toBe(recorded[name]);
});
