// A repository for the tests of git in `oracle`, with a scripted model whose answer is a good diff.
import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect } from "vitest";
import { Bench, fence } from "./bench.ts";

export const app = "const a = 1;\nconst b = 2;\nconst c = 3;\n";
export const good = `diff --git a/src/app.js b/src/app.js
--- a/src/app.js
+++ b/src/app.js
@@ -1,3 +1,3 @@
 const a = 1;
-const b = 2;
+const b = 22;
 const c = 3;
`;
export const newFile = (path: string, line = "fresh") =>
  `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${line}\n`;

export const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

export let bench: Bench;
export let first: string;

/** Takes the present commit as the one that a test begins with. */
export const startHere = (): void => {
  first = bench.git("rev-parse", "HEAD");
};

/** A repository and a model that answers with a good diff, for each test of a file. */
export function useGitBench(): void {
  beforeEach(() => {
    bench = new Bench().withRepository({
      "src/app.js": app,
      "README.md": "hello\n",
      ".gitignore": "*.log\n",
    });
    startHere();
    bench.double([{ answer: fence(good), html: "<pre>x</pre>" }]);
  });
  afterEach(() => bench.dispose());
}

export const ask = (...flags: string[]) => bench.run(["-p", "change b to 22", ...flags]);
export const unsent = () => expect(bench.sent).toEqual([]);
export const untouched = () => {
  expect(bench.git("rev-parse", "HEAD")).toBe(first);
  expect(bench.read("src/app.js")).toBe(app);
};
