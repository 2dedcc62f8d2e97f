import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { displayOf, findBrowser } from "./index.ts";

describe("the browser of this machine", () => {
  it("[S-4] is looked for only in folders with a whole address, or where the user says that it is", () => {
    const folder = tempFolder("browser-program-");
    const program = join(folder, "chromium");
    writeFileSync(program, "", { mode: 0o755 });
    expect(findBrowser({ PATH: `.::bin:${folder}` })).toBe(program);
    const before = process.cwd();
    process.chdir(folder);
    try {
      expect(findBrowser({ PATH: ".::" })).not.toBe("chromium");
    } finally {
      process.chdir(before);
    }
    expect(findBrowser({ ORACLE_BROWSER: program, PATH: "" })).toBe(program);
    expect(findBrowser({ ORACLE_BROWSER: join(folder, "gone"), PATH: folder })).toBeUndefined();
  });
});

describe("the display of this machine", () => {
  const folder = tempFolder("browser-display-");
  writeFileSync(join(folder, "Xvfb"), "", { mode: 0o755 });
  it.runIf(process.platform === "linux").each([
    ["a screen", { DISPLAY: ":0", PATH: folder }, "screen"],
    ["a screen of Wayland", { WAYLAND_DISPLAY: "wayland-0" }, "screen"],
    ["a virtual one", { DISPLAY: "", PATH: folder }, { xvfb: join(folder, "Xvfb") }],
    ["none", { PATH: "." }, null],
  ])("%s", (_, env, display) => {
    expect(displayOf(env)).toEqual(display);
  });
});
