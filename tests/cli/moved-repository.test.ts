// A checkout in the middle of a move, in a repository that was renamed, copied or restored since.
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { layMove } from "../support/half-move.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { openTestDesk, sample } from "./program.ts";

const fresh = { "README.md": "# New\n", "src/add.js": "export const add = (a, b) => a + b;\n", "package.json": "{}\n" };
type Names = keyof typeof fresh;

const states = (dir: string): string[] =>
  Object.keys(fresh).map((path) => {
    const text = existsSync(join(dir, path)) ? readFileSync(join(dir, path), "utf8") : "missing";
    return text === fresh[path as Names] ? "new" : text === sample[path as Names] ? "old" : text;
  });

/** `steps`: how far the move came before its processes died. */
function halfMoved(steps: number) {
  const desk = openTestDesk();
  desk.thehood(["plan", "look around", "--team", "stub"]);
  const folder = join(desk.repo.dir, ".git/thehood/apply");
  mkdirSync(folder, { recursive: true });
  layMove(desk.repo.dir, join(folder, "1-0"), fresh, { half: true, steps });
  return { desk, before: states(desk.repo.dir), elsewhere: join(tempFolder("thehood-moved-"), "repo") };
}

describe("[B-17] a move that was interrupted belongs to the checkout that holds its journal", () => {
  it("is finished in a checkout that was renamed", () => {
    const { desk, before, elsewhere } = halfMoved(2);
    expect(new Set(before).size).toBeGreaterThan(1);
    renameSync(desk.repo.dir, elsewhere);
    try {
      const ran = desk.thehood(["status"], { cwd: elsewhere });
      expect(states(elsewhere), ran.err).toEqual(["new", "new", "new"]);
      expect(existsSync(desk.repo.dir)).toBe(false);
    } finally {
      renameSync(elsewhere, desk.repo.dir);
    }
  });

  it.each([1, 2, 3, 4, 5])(
    "in a copy the copy is finished or undone, after %i steps, and the original stays",
    (steps) => {
      const { desk, before, elsewhere } = halfMoved(steps);
      cpSync(desk.repo.dir, elsewhere, { recursive: true, verbatimSymlinks: true });
      const ran = desk.thehood(["status"], { cwd: elsewhere });
      expect(states(desk.repo.dir)).toEqual(before);
      expect([...new Set(states(elsewhere))], ran.err).toEqual(["new"]);
      desk.thehood(["status"]);
      expect([...new Set(states(desk.repo.dir))]).toEqual(["new"]);
    },
  );
});
