// A move into the checkout and a power loss: each step is on the disk before the one that builds on it.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { hasStrace, traced } from "../../../../tests/support/traced.ts";

describe.skipIf(!hasStrace)("[B-15] a move into the checkout (needs strace)", () => {
  it("syncs what is staged before its journal, and the folders of the checkout before its end is written", () => {
    const folder = tempFolder("durable-move-");
    const [top, apply] = [join(folder, "top"), join(folder, "apply", "1")];
    for (const made of [join(top, "sub"), ...["new", "old", "gone"].map((name) => join(apply, name))])
      mkdirSync(made, { recursive: true });
    writeFileSync(join(top, "sub/a.txt"), "a\n");
    writeFileSync(join(apply, "new/0"), "A\n");
    const room = (file: string) => JSON.stringify(join(import.meta.dirname, file));
    const lines = traced(
      folder,
      "fsync,fdatasync,rename,renameat2,link,linkat",
      `import { journalLocation, printOf, writeJournal } from ${room("journal.ts")};
      import { carryOutMoves } from ${room("moves.ts")};
      const place = journalLocation(${JSON.stringify(apply)});
      const [top, path] = [${JSON.stringify(top)}, "sub/a.txt"];
      const move = { path, old: printOf(top + "/" + path), new: printOf(place.staged(0)) };
      const journal = { version: 1, id: "1", top, fromTree: "", toTree: "", moves: [move], makes: [] };
      writeJournal(place, journal);
      carryOutMoves(journal, place);`,
    );
    const at = (what: string, found: (line: string) => boolean) => {
      const place = lines.findIndex(found);
      expect(place, `${what}\n${lines.join("\n")}`).toBeGreaterThanOrEqual(0);
      return place;
    };
    const synced = (name: string) => at(`sync of ${name}`, (line) => /sync\(/.test(line) && line.includes(`<${name}>`));
    const renamed = (name: string) =>
      at(`rename to ${name}`, (line) => /rename/.test(line) && line.includes(`${name}"`));
    const journal = renamed("journal.json");
    for (const name of ["new", "old", "gone"]) expect(synced(join(apply, name))).toBeLessThan(journal);
    expect(journal).toBeLessThan(synced(join(top, "sub")));
    expect(synced(join(top, "sub"))).toBeLessThan(renamed("ended.json"));
  });

  it("a journal that is over goes first of its folder: no crash leaves it there without its ending", () => {
    const folder = tempFolder("durable-drop-");
    const apply = join(folder, "apply", "1");
    for (const name of ["new", "old", "gone"]) mkdirSync(join(apply, name), { recursive: true });
    for (const name of ["ended.json", "journal.json", "new/0", "old/0"]) writeFileSync(join(apply, name), "{}");
    const journal = JSON.stringify(join(import.meta.dirname, "journal.ts"));
    const lines = traced(
      folder,
      "unlink,unlinkat",
      `import { dropJournal, journalLocation } from ${journal};
      dropJournal(journalLocation(${JSON.stringify(apply)}), "/");`,
    );
    const removed = lines.filter((line) => line.endsWith(" = 0") && /\.json"|\/0"|"0"/.test(line));
    expect(removed.length, lines.join("\n")).toBe(4);
    expect(removed[0]).toContain("journal.json");
    expect(existsSync(apply)).toBe(false);
  });
});
