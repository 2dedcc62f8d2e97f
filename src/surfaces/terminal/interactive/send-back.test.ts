import { expect, it } from "vitest";
import { showPatch } from "../../../core/patch/index.ts";
import type { GateOptions } from "./gate-answers.ts";
import { readSendBack, sendBackDraft } from "./send-back.ts";

const diff = `diff --git a/sum.js b/sum.js
--- a/sum.js
+++ b/sum.js
@@ -3,3 +3,3 @@ export function sum(text) {
   let total = 0;
-  total += 1;
+  total += 2;
   return total;
`;
const gate = {
  title: "Apply",
  text: "Apply",
  parts: [{ kind: "diff", ref: "sha256:1", summary: "", patch: showPatch(diff) }],
} as unknown as GateOptions["gate"];

it("[B-32] a text below a line of the change goes back as a comment at that line", () => {
  const draft = sendBackDraft(gate);
  expect(readSendBack(draft)).toBe("");
  expect(draft).toContain("# sum.js:4 +   total += 2;");
  const written = `keep it small\n${draft.replace("+   total += 2;\n", "+   total += 2;\nwhy two?\n")}`;
  expect(readSendBack(written)).toBe("keep it small\n\nsum.js:4: why two?");
  expect(readSendBack(null)).toBe("");
  expect(readSendBack("keep the old name\n# a comment\n")).toBe("keep the old name");
});
