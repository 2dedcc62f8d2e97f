// What the documents promise: the worked example runs as written, the closed sets are the code's, the template is there.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { resultStatuses, statusExit } from "../../src/core/contract/transport/index.ts";
import { oracleProjectConfig } from "../../src/core/contract/transport/schema/index.ts";
import { conversionReasons } from "../../src/core/patch/convert/index.ts";
import { diffReasons } from "../../src/core/patch/reply/index.ts";
import { Bench } from "./bench.ts";
import { bin } from "./built.ts";

const root = resolve(import.meta.dirname, "../..");
const guide = readFileSync(join(root, "docs/oracle.md"), "utf8");
let bench: Bench | undefined;
afterEach(() => bench?.dispose());

describe("docs/oracle.md", () => {
  it("the worked example runs as written", () => {
    bench = new Bench();
    const [, script = ""] = /```bash\n([\s\S]*?)```/.exec(guide) ?? [];
    const programs = join(bench.dir, "programs");
    mkdirSync(programs);
    symlinkSync(bin, join(programs, "oracle"));
    const env = { ...bench.env, PATH: `${programs}:${bench.env["PATH"] ?? ""}` };
    const output = execFileSync("bash", ["-e", "-c", script], { cwd: bench.dir, env, encoding: "utf8" });
    expect(output).toMatch(/\w+ Wait longer for slow disks\n\w+ Start\n$/);
    expect(readFileSync(join(bench.dir, "demo/settings.js"), "utf8")).toBe("export const timeout = 2000;\n");
  });

  it("names every status with its exit code, and every diffReason there is", () => {
    for (const status of resultStatuses) {
      const row = guide.split("\n").find((line) => line.startsWith("|") && line.includes(`\`${status}\``)) ?? "";
      expect(row, status).toContain(`| ${statusExit[status]} |`);
    }
    const set = guide.slice(guide.indexOf("`diffReason` is one of a closed set"), guide.indexOf("## Configuration"));
    for (const reason of [...conversionReasons, ...diffReasons.filter((name) => name !== "ok")])
      expect(set).toContain(`\`${reason}\``);
  });

  it("names what a project's config may set", () => {
    for (const key of Object.keys(oracleProjectConfig.shape)) expect(guide).toContain(`\`${key}\``);
  });

  it("[Z-15] says that archive handling depends on the provider and promises nothing else", () => {
    expect(guide).toMatch(/depends on the provider/);
    expect(guide).toMatch(/nothing about what becomes of it after the upload/);
    expect(guide).not.toMatch(/ZIP (upload )?guarantees|will read the archive/i);
  });

  it.each(["README.md", "CHANGELOG.md", "skills/oracle/SKILL.md", "docs/oracle.md", "docs/guides/browser.md"])(
    "[Z-15] %s names the ZIP bundle as a choice, and the dry run to look at it",
    (path) => {
      const text = readFileSync(join(root, path), "utf8");
      expect(text).toMatch(/--browser-bundle-format zip|opt-in as a ZIP bundle/);
      expect(text).toContain("--dry-run");
    },
  );

  it("[T-31] a request template for project agents is shipped", () => {
    const path = join(root, "docs/templates/COPILOT_REVIEW_REQUEST_EXAMPLE.md");
    expect(existsSync(path)).toBe(true);
    const text = readFileSync(path, "utf8");
    for (const part of ["diff --git a/<path> b/<path>", "@@ -<line>,<count> +<line>,<count> @@", "--apply-mode commit"])
      expect(text).toContain(part);
    const { files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { files: string[] };
    expect(files).toContain("docs");
  });
});
