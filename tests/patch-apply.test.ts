// The patch corpus end to end: every row through the integrator into a real checkout, with everything around it watched.
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readPatchOptions } from "../src/core/patch/index.ts";
import { applyPatch } from "../src/workspace/checkout/apply/index.ts";
import { requireRepository } from "../src/platform/git/index.ts";
import { binaryTools } from "../src/platform/system/index.ts";
import { Repository } from "./corpus/patch-repository.ts";
import { bytesOf, fixture, rows, shape } from "./corpus/patch-rows.ts";

/** Every file below a folder with its mode and hash. */
function survey(folder: string, base = folder): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stat = lstatSync(path);
    const short = path.slice(base.length + 1);
    if (stat.isSymbolicLink()) found[short] = `link:${readlinkSync(path)}`;
    else if (stat.isDirectory()) Object.assign(found, { [short]: "folder" }, survey(path, base));
    else found[short] = `${stat.mode & 0o777}:${createHash("sha256").update(readFileSync(path)).digest("hex")}`;
  }
  return found;
}

describe("[R-3] [R-31] the integrator on the patch corpus", () => {
  it.each(rows.map((row) => [row.id, row.title, row] as const))("%s %s", async (_id, _title, row) => {
    const copy = new Repository(fixture, row.setup);
    try {
      const before = survey(copy.outer);
      const options = readPatchOptions(row.options, binaryTools);
      const repository = requireRepository(copy.dir);
      const patch = bytesOf(row);
      const first = await applyPatch(repository, { patch, options });
      const refused = { outcome: "refused", verdict: { verdict: row.expect, reason: row.reason } };
      expect(first).toMatchObject(row.expect === "accept" ? { outcome: "applied" } : refused);
      expect(row.expect === "accept" ? before : survey(copy.outer)).toEqual(before);
      if (row.expect === "reject") return;
      const done =
        row.expect === "accept"
          ? first
          : await applyPatch(repository, { patch, options: { ...options, approveProtected: true } });
      expect(done.outcome).toBe("applied");
      for (const [path, wanted] of Object.entries(row.after ?? {})) {
        const found = copy.read(path);
        const isGone = found === undefined || (wanted === null && found.kind === "directory");
        expect(isGone ? null : shape(found.kind, found.bytes)).toBe(wanted);
      }
      const touched = done.outcome === "applied" ? done.paths : [];
      const after = survey(copy.outer);
      const folder = (value: string | undefined) => value === undefined || value === "folder";
      const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])]
        .filter((path) => before[path] !== after[path] && !(folder(before[path]) && folder(after[path])))
        .filter((path) => !/^repo\/\.git\/(objects\/|thehood(\/|$)|info\/exclude$)/.test(path));
      expect(changed.toSorted()).toEqual(touched.map((path) => `repo/${path}`).toSorted());
      expect(await applyPatch(repository, { patch, options: { ...options, approveProtected: true } })).toMatchObject({
        outcome: "already_applied",
      });
      expect(survey(copy.outer)).toEqual(after);
      expect(readdirSync(join(copy.dir, ".git", "thehood", "apply"))).toEqual(["lock.db", "mover.db"]);
    } finally {
      copy.remove();
    }
  });
});
