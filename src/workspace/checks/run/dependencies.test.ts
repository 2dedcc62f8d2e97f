import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { mountDependencies } from "./dependencies.ts";

function project(): { checkout: string; scratch: string } {
  const checkout = tempFolder("lend-");
  const scratch = join(checkout, ".thehood/worktrees/x");
  for (const root of [checkout, scratch])
    for (const path of ["package.json", "packages/own/package.json"]) put(join(root, path), "{}");
  put(join(checkout, "packages/own/index.js"), "module.exports = 'checkout'");
  put(join(scratch, "packages/own/index.js"), "module.exports = 'scratch'");
  put(join(checkout, "node_modules/dep/index.js"), "module.exports = 'dep'");
  put(join(checkout, "node_modules/@scope/dep/index.js"), "module.exports = 'scoped'");
  put(join(checkout, "packages/own/node_modules/nested/index.js"), "module.exports = 'nested'");
  put(join(checkout, "node_modules/.cache/x"), "");
  mkdirSync(join(checkout, "node_modules/.bin"));
  symlinkSync("../own/index.js", join(checkout, "node_modules/.bin/own"));
  symlinkSync("../packages/own", join(checkout, "node_modules/own"));
  return { checkout, scratch };
}

const put = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
const paths = ["package.json", "packages/own/package.json"];
const required = (dir: string, name: string) =>
  execFileSync(process.execPath, ["-p", `require("${name}")`], { cwd: dir, encoding: "utf8" }).trim();

describe("lending a scratch tree the checkout's dependencies", () => {
  it("packages, scoped packages and nested ones are found", async () => {
    const { checkout, scratch } = project();
    await mountDependencies(checkout, scratch, paths);
    expect(required(scratch, "dep")).toBe("dep");
    expect(required(scratch, "@scope/dep")).toBe("scoped");
    expect(required(join(scratch, "packages/own"), "nested")).toBe("nested");
  });

  it("a package of the workspace itself comes from the scratch tree, not from the checkout", async () => {
    const { checkout, scratch } = project();
    await mountDependencies(checkout, scratch, paths);
    expect(required(scratch, "own")).toBe("scratch");
    expect(readFileSync(join(scratch, "node_modules/.bin/own"), "utf8")).toContain("scratch");
  });

  it("what a tool writes into node_modules stays in the scratch tree", async () => {
    const { checkout, scratch } = project();
    await mountDependencies(checkout, scratch, paths);
    expect(existsSync(join(scratch, "node_modules/.cache"))).toBe(false);
    put(join(scratch, "node_modules/.cache/y"), "");
    put(join(scratch, "node_modules/fresh/index.js"), "");
    expect(existsSync(join(checkout, "node_modules/.cache/y"))).toBe(false);
    expect(existsSync(join(checkout, "node_modules/fresh"))).toBe(false);
  });

  it("a tracked folder of that name is left as the tree has it", async () => {
    const { checkout, scratch } = project();
    put(join(scratch, "node_modules/dep/index.js"), "module.exports = 'tracked'");
    await mountDependencies(checkout, scratch, paths);
    expect(required(scratch, "dep")).toBe("tracked");
  });

  it("virtual environments and vendor folders are linked, and their programs named", async () => {
    const { checkout, scratch } = project();
    put(join(checkout, ".venv/bin/pytest"), "");
    put(join(checkout, "vendor/x/y.php"), "");
    const lent = await mountDependencies(checkout, scratch, ["composer.json", "pyproject.toml"]);
    expect(lent.programs).toEqual([join(scratch, ".venv/bin")]);
    expect(lstatSync(join(scratch, "vendor")).isSymbolicLink()).toBe(true);
  });
});
