import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import {
  clearJournal,
  journalLocation,
  printOf,
  readEnding,
  writeJournal,
  type Journal,
  type JournalLocation,
  type Print,
} from "./journal.ts";
import { carryOutMoves } from "./moves.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";

type Tree = Readonly<Record<string, string>>;

/** "x:" marks an executable, "->" a link. `link` gives way to a folder, `dir` gives way to a file. */
const old: Tree = {
  "a.txt": "a",
  "b/c.txt": "c",
  "b/d.txt": "d",
  "run.sh": "sh",
  link: "->b",
  "dir/only.txt": "only",
};
const fresh: Tree = {
  "a.txt": "A",
  "b/d.txt": "D",
  "run.sh": "x:sh",
  "link/in.txt": "in",
  dir: "file now",
  "n/e/w.txt": "new",
};
const others: Tree = { "user.txt": "mine", "b/user.txt": "also mine" };

let top = "";
beforeEach(() => {
  // In memory where that is possible: thousands of fsyncs say nothing here.
  top = tempFolder("moves-", existsSync("/dev/shm") ? "/dev/shm" : tmpdir());
});

function lay(base: string, tree: Tree): void {
  for (const [path, content] of Object.entries(tree)) {
    const full = join(base, path);
    mkdirSync(dirname(full), { recursive: true });
    if (content.startsWith("->")) symlinkSync(content.slice(2), full);
    else writeFileSync(full, content.replace(/^x:/, ""), { mode: content.startsWith("x:") ? 0o755 : 0o644 });
  }
}

function survey(base: string, folder = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(base, folder))) {
    const path = folder ? `${folder}/${name}` : name;
    if (path === ".thehood") continue;
    const stats = lstatSync(join(base, path));
    if (stats.isSymbolicLink()) found[path] = `->${readlinkSync(join(base, path))}`;
    else if (stats.isDirectory()) Object.assign(found, survey(base, path));
    else found[path] = (stats.mode & 0o100 ? "x:" : "") + readFileSync(join(base, path), "utf8");
  }
  return found;
}

function plain(print: Print | "other" | undefined): Print | null {
  if (print === "other") throw new Error("not a file");
  return print ?? null;
}

/** A checkout with the old files and a written journal to the new ones. */
function prepare(root: string): { journal: Journal; place: JournalLocation } {
  lay(root, { ...old, ...others });
  const folder = join(root, ".thehood", "apply", "1");
  for (const name of ["new", "old", "gone"]) mkdirSync(join(folder, name), { recursive: true });
  const place = journalLocation(folder);
  const rank = (path: string) => (path in fresh ? (path in old ? 1 : 2) : 0);
  const paths = [...new Set([...Object.keys(old), ...Object.keys(fresh)])]
    .filter((path) => old[path] !== fresh[path])
    .toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const moves = paths.map((path, index) => {
    const content = fresh[path];
    if (content !== undefined) lay(place.folder, { [`new/${index}`]: content });
    return {
      path,
      old: path in old ? plain(printOf(join(root, path))) : null,
      new: content === undefined ? null : plain(printOf(place.staged(index))),
    };
  });
  const journal: Journal = {
    version: 1,
    id: "1",
    top: root,
    fromTree: "",
    toTree: "",
    moves,
    makes: ["link", "n", "n/e"],
  };
  writeJournal(place, journal);
  return { journal, place };
}

class Died extends Error {}

/** Carries the journal out and dies before step `at`; answers whether it got to the end. */
function dieAt(journal: Journal, place: JournalLocation, at: number): boolean {
  let step = 0;
  try {
    carryOutMoves(journal, place, () => {
      if (++step === at) throw new Died();
    });
    return true;
  } catch (error) {
    if (error instanceof Died) return false;
    throw error;
  }
}

const fresher = { ...fresh, ...others };
const older = { ...old, ...others };

describe("carrying out a journal", () => {
  it("makes the new tree of the old one and touches nothing else", () => {
    const { journal, place } = prepare(top);
    expect(carryOutMoves(journal, place)).toEqual({ ending: "done", conflicts: [] });
    expect(survey(top)).toEqual(fresher);
    expect(readEnding(place)?.ending).toBe("done");
  });

  it("dies at any step, once or twice, and is finished by the next process", () => {
    let ended = false;
    for (let first = 1; !ended; first++)
      for (let second = 1; second < 30; second += 4) {
        const root = join(top, `${first}-${second}`);
        mkdirSync(root);
        const { journal, place } = prepare(root);
        ended = dieAt(journal, place, first);
        if (!ended && !dieAt(journal, place, second)) carryOutMoves(journal, place);
        expect(survey(root), `died at ${first}, then at ${second}`).toEqual(fresher);
        rmSync(root, { recursive: true });
      }
  });

  it("is undone whole when the disk is full at any step", () => {
    for (let at = 1; at < 20; at++) {
      const root = join(top, String(at));
      mkdirSync(root);
      const { journal, place } = prepare(root);
      let step = 0;
      const result = carryOutMoves(journal, place, (what) => {
        step++;
        if (step === at && !what.startsWith("close"))
          throw Object.assign(new Error("full"), { code: "ENOSPC", syscall: "write" });
      });
      expect(survey(root), `full at ${at}`).toEqual(result.ending === "done" ? fresher : older);
      expect(["undone", at < 12 ? "undone" : "done"]).toContain(result.ending);
    }
  });

  it("an unfinished move is never cleared away: the user's files lie in it", () => {
    const { journal, place } = prepare(top);
    expect(dieAt(journal, place, 4)).toBe(false);
    clearJournal(place, top);
    expect(carryOutMoves(journal, place).ending).toBe("done");
    clearJournal(place, top);
    expect(existsSync(place.folder)).toBe(false);
    expect(survey(top)).toEqual(fresher);
  });

  it("[R-31] is undone when an editor that held a file open wrote into it after it was taken away, and its words are there", () => {
    const { journal, place } = prepare(top);
    const index = journal.moves.findIndex(({ path }) => path === "a.txt");
    const result = carryOutMoves(journal, place, (step) => {
      if (step === "put a.txt") writeFileSync(place.taken(index), "words of an editor");
    });
    expect(result).toEqual({
      ending: "undone",
      conflicts: [{ path: "a.txt", why: "it was changed meanwhile" }],
    });
    expect(survey(top)).toEqual({ ...older, "a.txt": "words of an editor" });
  });

  it("is undone whole when a file is no longer what it was, at any step, also after a death", () => {
    const undone: unknown[] = [];
    const found: unknown[] = [];
    for (const path of ["a.txt", "b/c.txt", "run.sh", "dir/only.txt", "b/d.txt"])
      for (let at = 1; at < 25; at++) {
        const root = join(top, "x");
        mkdirSync(root);
        const { journal, place } = prepare(root);
        const died = !dieAt(journal, place, at);
        const before = survey(root);
        if (died && before[path] === old[path]) {
          writeFileSync(join(root, path), "the user's");
          const result = carryOutMoves(journal, place);
          found.push({ path, at, ending: result.ending, now: survey(root) });
          undone.push({ path, at, ending: "undone", now: { ...older, [path]: "the user's" } });
        }
        rmSync(root, { recursive: true });
      }
    expect(found).toEqual(undone);
    expect(found.length).toBeGreaterThan(20);
  });
});

type UserAction = "append" | "replace" | "create" | "delete";

/** The act of an editor on a file, at one moment. Answers false when it could not. */
function act(root: string, action: UserAction, path: string): boolean {
  const full = join(root, path);
  if (lstatSync(dirname(full), { throwIfNoEntry: false })?.isFile()) return false;
  const present = lstatSync(full, { throwIfNoEntry: false })?.isFile() === true;
  if (action === "append" && present) appendFileSync(full, "+USER");
  else if (action === "replace" && present) {
    writeFileSync(`${full}~`, "USER");
    renameSync(`${full}~`, full);
  } else if (action === "create" && !existsSync(full) && existsSync(dirname(full))) writeFileSync(full, "USER");
  else if (action === "delete" && present) unlinkSync(full);
  else return false;
  return true;
}

describe("[R-31] [S-6] a user who works on the same files at the same moment", () => {
  it("never loses a byte, whatever they do, whenever they do it, and whenever we die", () => {
    const paths = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].filter((path) => path !== "link");
    const scene = fc.record({
      action: fc.constantFrom<UserAction>("append", "replace", "create", "delete"),
      path: fc.constantFrom(...paths),
      at: fc.integer({ min: 1, max: 24 }),
      dies: fc.option(fc.integer({ min: 1, max: 24 })),
    });
    let run = 0;
    let actions = 0;
    fc.assert(
      fc.property(scene, ({ action, path, at, dies }) => {
        const root = join(top, String(run++));
        mkdirSync(root);
        const { journal, place } = prepare(root);
        let step = 0;
        let acted = false;
        const live = (mortal: boolean) =>
          carryOutMoves(journal, place, () => {
            step++;
            if (step === at) acted = act(root, action, path);
            if (mortal && step === dies) throw new Died();
          });
        let result;
        try {
          result = live(true);
        } catch (error) {
          if (!(error instanceof Died)) throw error;
          result = live(false);
        }
        actions += acted ? 1 : 0;
        const now = survey(root);
        expect({ "user.txt": now["user.txt"], "b/user.txt": now["b/user.txt"] }).toEqual(others);
        // Before `link` has become a folder, a file below it lands in `b`.
        const places = path === "link/in.txt" ? [path, "b/in.txt"] : [path];
        const isWritten = acted && action !== "delete";
        const theirs = isWritten ? places.map((place) => now[place]).join() : "USER";
        expect(theirs, `${action} ${path} at ${at}`).toContain("USER");
        // A conflict is the one end that may leave a mix, and it says so.
        const wanted = { done: fresh, undone: old, conflict: now }[result.ending];
        for (const other of paths.filter((one) => !acted || one !== path))
          expect(now[other], `${other} after ${result.ending} (${action} ${path} at ${at})`).toBe(wanted[other]);
        rmSync(root, { recursive: true });
      }),
      { numRuns: 600 },
    );
    expect(actions).toBeGreaterThan(50);
  });
});
