// Test only: opens paths made of anything in a tree full of links, and insists that nothing outside is reached.
import { readdirSync, readlinkSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect } from "vitest";
import { FailureError } from "../../src/core/contract/index.ts";
import { judgePath, openUnder } from "../../src/platform/paths/index.ts";

type Mode = "read" | "write" | "create";

/** `base` holds `repo` (with `src/a.txt`) and `outside` (with `secret.txt`). Answers how many paths could be opened. */
export function tryPaths(base: string, root: string, numRuns: number): number {
  symlinkSync("../outside", join(root, "out"));
  symlinkSync("src", join(root, "in"));
  symlinkSync("..", join(root, "src", "up"));
  symlinkSync("up/up", join(root, "src", "higher"));
  symlinkSync("/", join(root, "slash"));
  symlinkSync(join(root, "src"), join(root, "whole"));
  symlinkSync("in/../out", join(root, "mixed"));
  const places = ["src", "in", "out", "up", "higher", "slash", "whole", "mixed", "outside", "repo", base.slice(1)];
  const names = [...places, "..", ".", "", "a.txt", "secret.txt", "etc", "passwd", "~", "C:", "\\", "\u202e", ".git"];
  const path = fc
    .tuple(fc.boolean(), fc.array(fc.constantFrom(...names), { maxLength: 8 }))
    .map(([absolute, parts]) => (absolute ? "/" : "") + parts.join("/"));
  let opened = 0;
  const attempt = (candidate: string, mode: Mode) => {
    const allowed = judgePath(root, candidate, mode === "read" ? "read" : "write").allowed;
    try {
      using file = openUnder(root, candidate, mode, { parents: true });
      opened++;
      expect(allowed).toBe(true);
      const linux = process.platform === "linux";
      const place = linux ? readlinkSync(`/proc/self/fd/${file.fd}`) : realpathSync(join(root, file.path));
      expect(place.startsWith(`${root}/`)).toBe(true);
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
    }
  };
  fc.assert(fc.property(path, fc.constantFrom<Mode>("read", "write", "create"), attempt), { numRuns });
  expect(readdirSync(join(base, "outside"))).toEqual(["secret.txt"]);
  expect(readdirSync(base).toSorted()).toEqual(["outside", "repo"]);
  return opened;
}
