// The pages that stop a run, and the way on that each of them names.
import { describe, expect, it } from "vitest";
import { loadSite } from "../sites/load.ts";
import type { PageSnapshot } from "../shapes.ts";
import { wallOf } from "./context.ts";

const site = loadSite("chatgpt", { folder: "/nowhere" });
const page = { url: site.url, loggedIn: true, loggedOut: false, challenge: false, throttled: null };
const look = (change: object) => ({ ...page, ...change }) as PageSnapshot;

describe("a site that asks for proof of a person", () => {
  it("names a window to somebody who has none, and the way back to a browser without one to nobody", () => {
    const remedies = (["headless", "hidden", "visible"] as const).map(
      (mode) => wallOf(look({ challenge: true }), site, mode)?.remedy ?? "",
    );
    expect(remedies[0]).toMatch(/Unset ORACLE_BROWSER_MODE, or set it to hidden or visible/);
    expect(remedies[1]).toMatch(/ORACLE_BROWSER_MODE=visible/);
    for (const remedy of remedies) {
      expect(remedy).toContain("oracle browser login chatgpt");
      expect(remedy).not.toMatch(/headless/);
    }
    for (const remedy of remedies.slice(1)) expect(remedy).toContain("ORACLE_BROWSER_ATTACH=chrome");
    expect(remedies[2]).toContain("another site, or --engine api");
  });
});

it("a button to log in beside the signs of a login is no lost login", () => {
  expect(wallOf(look({ loggedOut: true }), site, "hidden")).toBeNull();
  expect(wallOf(look({ loggedOut: true, loggedIn: false }), site, "hidden")?.code).toBe("login_required");
  expect(wallOf(look({ url: "https://auth.openai.com/log-in" }), site, "hidden")?.code).toBe("login_required");
});
