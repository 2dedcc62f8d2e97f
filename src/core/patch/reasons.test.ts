// The reasons users meet are the reasons the guide explains.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { patchReasons, rankOf, type PatchReason } from "./reasons.ts";
import { diffReasons, replyReasons } from "./reply/index.ts";

const guide = readFileSync(join(import.meta.dirname, "../../../docs/guides/patch-verdicts.md"), "utf8");
const section = (title: string): string[] => {
  const [, after = ""] = guide.split(`## ${title}\n`);
  return [...(after.split("\n## ")[0] ?? "").matchAll(/^\| `(\w+)`/gm)].map((match) => match[1] ?? "");
};

it("[T-13] the guide lists every reason once, in the order in which they decide", () => {
  for (const verdict of ["reject", "approval", "accept"] as const) {
    const reasons = (Object.keys(patchReasons) as PatchReason[]).filter((reason) => patchReasons[reason] === verdict);
    expect(section(`Patches: ${verdict}`)).toEqual(reasons);
  }
  expect(section("Answers")).toEqual([...replyReasons]);
  expect(
    diffReasons
      .filter((reason) => !(replyReasons as readonly string[]).includes(reason))
      .every((reason) => patchReasons[reason as PatchReason] === "reject"),
  ).toBe(true);
});

it("a refusal outranks an approval, and an approval a remark", () => {
  expect(rankOf("context_mismatch")).toBeLessThan(rankOf("exec_config"));
  expect(rankOf("hidden_text")).toBeLessThan(rankOf("ok_offset"));
});
