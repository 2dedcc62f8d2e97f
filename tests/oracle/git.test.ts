import { afterEach, describe, expect, it } from "vitest";
import { Bench, fence } from "./bench.ts";

const app = "const a = 1;\nconst b = 2;\nconst c = 3;\n";
const good = `diff --git a/src/app.js b/src/app.js
--- a/src/app.js
+++ b/src/app.js
@@ -1,3 +1,3 @@
 const a = 1;
-const b = 2;
+const b = 22;
 const c = 3;
`;

let bench: Bench;
afterEach(() => bench.dispose());
const repository = () => {
  bench = new Bench().withRepository({ "src/app.js": app, "README.md": "hello\n", ".gitignore": "*.log\n" });
  return bench;
};

describe("a diff into a repository", () => {
  it("[T-18][T-20][T-27] commit mode applies and commits a correct fenced diff", async () => {
    const before = repository().git("rev-parse", "HEAD");
    bench.double([{ answer: fence(good), html: "<pre>x</pre>" }]);
    const ran = await bench.run([
      "-p",
      "change b to 22",
      "--apply-mode",
      "commit",
      "--commit-message",
      "Make b 22",
    ]);
    expect(ran.stderr).toContain("success");
    expect(ran.code).toBe(0);
    const { result } = bench.session();
    expect(result).toMatchObject({
      status: "success",
      diffFound: true,
      diffValidated: true,
      diffApplied: true,
      treeHoldsPatch: true,
      applyMode: "commit",
      branch: "main",
      commitSha: bench.git("rev-parse", "HEAD"),
      retryCount: 0,
      diffReason: null,
      diffBlocks: 1,
      pushed: false,
    });
    expect(bench.read("src/app.js")).toBe(app.replace("2", "22"));
    expect(bench.git("log", "-1", "--format=%s|%an|%ae")).toBe("Make b 22|Test Person|test@example.invalid");
    expect(bench.git("rev-parse", "HEAD~1")).toBe(before);
    expect(bench.git("status", "--porcelain")).toBe("");
    expect(bench.remoteHead()).toBe(before);
  });
});
