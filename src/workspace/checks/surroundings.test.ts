import { describe, expect, it } from "vitest";
import { looksAround } from "./surroundings.ts";

const looks = (line: string) => looksAround("a", line, [[1, 1]]).map(({ what, fixed }) => [what, fixed]);

describe("source that looks around", () => {
  it.each([
    ["process.stdout.isTTY", "the machine"],
    ["os.homedir()", "the machine"],
    ["readdirSync('/proc')", "the machine"],
    ["import dns from 'node:dns/promises';", "the network"],
    ["await fetch(url)", "the network"],
    ["import requests", "the network"],
    ["new Date().getFullYear() > 2030", "the clock"],
    ["if time.time() > 2e9:", "the clock"],
    ["SystemTime::now()", "the clock"],
    ["process.env.NODE_ENV === 'production'", "whether it is in production"],
    ["os.environ.get('APP_ENV')", "whether it is in production"],
    ['std::env::var("PRODUCTION")', "whether it is in production"],
    ['import "net/http"', "the network"],
  ])("[B-9] no run can vary what this reads: %s", (line, what) => {
    expect(looks(line)).toContainEqual([what, true]);
  });

  it.each([
    ["process.cwd()", "its folder"],
    ["process.env.CI", "its variables"],
    ["Math.random()", "chance"],
    ["time.monotonic()", "chance"],
  ])("other runs vary it: %s", (line, what) => {
    expect(looks(line)).toEqual([[what, false]]);
  });

  it("plain source looks at nothing", () => {
    expect(looks("export const add = (a, b) => a + b; // the network, os")).toEqual([]);
  });
});
