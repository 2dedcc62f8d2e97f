import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { debuggingDoors } from "./running.ts";

function profile(config: string, name: string, text: string, at: number): void {
  mkdirSync(join(config, name), { recursive: true });
  const file = join(config, name, "DevToolsActivePort");
  writeFileSync(file, text);
  utimesSync(file, at, at);
}

describe.skipIf(process.platform !== "linux")("the doors of running browsers", () => {
  it("the newest first; what no browser writes is none", () => {
    const config = tempFolder("config-");
    profile(config, "google-chrome", "9222\n/devtools/browser/aaaa-1", 1_000);
    profile(config, "chromium", "9333\n/devtools/browser/bbbb-2", 2_000);
    profile(config, "microsoft-edge", "9444\n/../evil", 3_000);
    profile(config, "google-chrome-beta", "x\n/devtools/browser/c", 4_000);
    expect(debuggingDoors({ XDG_CONFIG_HOME: config, HOME: config })).toEqual([
      { port: 9333, path: "/devtools/browser/bbbb-2" },
      { port: 9222, path: "/devtools/browser/aaaa-1" },
    ]);
    expect(debuggingDoors({ HOME: tempFolder("nobody-") })).toEqual([]);
  });
});
