// Ways to rewrite history, each with what must be said of the commits that come out, oldest first. `kept` means that the
// change of a commit, or of a row of commits, is byte for byte one that a run made.
import { writeFiles } from "../support/repository.ts";
import type { Committed } from "./committed.ts";
import type { Draw } from "./drawing.ts";

export type Expected = "kept" | "altered";

export interface Rewrite {
  /** The commits that came out, as a range. */
  readonly range: string;
  readonly expected: readonly Expected[];
}

/** Commits of runs in the scene, on top of the commit `base`. */
export const rowLength = 4;

const kept = (count: number): Expected[] => Array.from({ length: count }, () => "kept");

function moveBase({ git, dir }: Committed, draw: Draw): string {
  git("checkout", "-q", "-b", "moved", "base");
  writeFiles(dir, {
    [`other-${draw(1_000)}.txt`]: "somebody else's work\n",
    "far.txt": `far ${draw(1_000)}\n`,
  });
  git("add", "-A");
  git("commit", "-qm", "moved on");
  return git("rev-parse", "HEAD");
}

/** Lines far above the changed ones: the same change stands at another place. */
function shiftBase({ git, dir }: Committed, draw: Draw): string {
  git("checkout", "-q", "-b", "shifted", "base");
  const head = Array.from({ length: 1 + draw(9) }, (_, line) => `# a new line ${line}\n`).join("");
  writeFiles(dir, { "src/one.py": `${head}${git("show", "base:src/one.py")}\n` });
  git("commit", "-qam", "lines at the top");
  return git("rev-parse", "HEAD");
}

function amendContent({ git, dir }: Committed, text: string, path = "src/one.py"): Rewrite {
  writeFiles(dir, { [path]: text });
  git("commit", "-q", "-a", "--amend", "--no-edit");
  return { range: "HEAD", expected: ["altered"] };
}

export const rewrites: Readonly<Record<string, (scene: Committed, draw: Draw) => Rewrite>> = {
  rebase: (scene, draw) => {
    const onto = moveBase(scene, draw);
    scene.git("checkout", "-q", "work");
    scene.git("rebase", "-q", "--onto", onto, "base");
    return { range: `${onto}..HEAD`, expected: kept(rowLength) };
  },
  "rebase where lines have moved": (scene, draw) => {
    const onto = shiftBase(scene, draw);
    scene.git("checkout", "-q", "work");
    scene.git("rebase", "-q", "--onto", onto, "base");
    return { range: `${onto}..HEAD`, expected: kept(rowLength) };
  },
  "rebase with a conflict that is resolved otherwise": ({ git, dir }, draw) => {
    git("checkout", "-q", "-b", "other", "work~1");
    const before = git("show", "work~1:src/one.py");
    writeFiles(dir, { "src/one.py": `${before.replace(/return .*/, `return ${draw(1_000)}`)}\n` });
    git("commit", "-qam", "another opinion", "--allow-empty");
    return { range: "HEAD", expected: ["altered"] };
  },
  "squash of a row": ({ git }, draw) => {
    const count = 2 + draw(rowLength - 1);
    git("reset", "-q", "--soft", `HEAD~${count}`);
    git("commit", "-qm", "squashed");
    return { range: "HEAD", expected: ["kept"] };
  },
  "squash that leaves one out": ({ git }) => {
    git("checkout", "-q", "-b", "gap", "base");
    for (const commit of ["work~3", "work~1"]) git("cherry-pick", "--no-commit", commit);
    git("commit", "-qm", "two of them");
    return { range: "HEAD", expected: ["altered"] };
  },
  "merge --squash": ({ git }, draw) => {
    const count = 1 + draw(rowLength);
    git("checkout", "-q", "-b", "squashing", `work~${count}`);
    git("merge", "-q", "--squash", "work");
    git("commit", "-qm", "squashed by merge");
    return { range: "HEAD", expected: ["kept"] };
  },
  "a merge commit": (scene, draw) => {
    const onto = moveBase(scene, draw);
    scene.git("merge", "-q", "--no-ff", "-m", "merged", "work");
    return { range: `${onto}..HEAD^2`, expected: kept(rowLength) };
  },
  "cherry-pick": (scene, draw) => {
    const onto = moveBase(scene, draw);
    scene.git("cherry-pick", `work~${rowLength - 1}`);
    return { range: `${onto}..HEAD`, expected: ["kept"] };
  },
  "format-patch and am": ({ git, dir }) => {
    git("format-patch", "-q", "-o", `${dir}/.git/mail`, "base..work");
    git("checkout", "-q", "-b", "mailed", "base");
    const count = ["1", "2", "3", "4"].map((number) => `${dir}/.git/mail`.concat(`/000${number}`));
    for (const beginning of count) {
      const name = git("log", "-1", "--format=%f", `work~${rowLength - Number(beginning.at(-1))}`);
      git("am", "-q", `${beginning}-${name}.patch`);
    }
    return { range: "base..HEAD", expected: kept(rowLength) };
  },
  "amend of the message": ({ git }) => {
    git("commit", "-q", "--amend", "-m", "other words, and no trailer");
    return { range: "HEAD", expected: ["kept"] };
  },
  "amend of the content": (scene, draw) =>
    amendContent(scene, `${scene.git("show", "HEAD:src/one.py")}\n# ${draw(1_000)}\n`),
  "amend of white space only": (scene) =>
    amendContent(scene, `${scene.git("show", "HEAD:src/one.py").replace("    return", "  return")}\n`),
  "amend of the line ending": (scene) =>
    amendContent(scene, `${scene.git("show", "HEAD:src/one.py").replaceAll("\n", "\r\n")}\r\n`),
  "amend of a mode": ({ git }) => {
    git("update-index", "--chmod=+x", "src/one.py");
    git("commit", "-q", "--amend", "--no-edit");
    git("checkout", "-q", "-f", "HEAD");
    return { range: "HEAD", expected: ["altered"] };
  },
  "amend that moves the work to another file": ({ git }) => {
    git("mv", "src/one.py", "src/uno.py");
    git("commit", "-q", "--amend", "--no-edit");
    return { range: "HEAD", expected: ["altered"] };
  },
  "amend of a file that is no text": ({ git, dir }, draw) => {
    writeFiles(dir, { "logo.bin": `\0\x01\x02${draw(1_000)}\0` });
    git("add", "-A");
    git("commit", "-q", "--amend", "--no-edit");
    return { range: "HEAD", expected: ["altered"] };
  },
  "a commit split in two": ({ git }) => {
    git("reset", "-q", "--hard", `HEAD~${rowLength - 2}`);
    git("reset", "-q", "--soft", "HEAD~1");
    git("reset", "-q");
    git("add", "src/two.py");
    git("commit", "-qm", "the first half");
    git("add", "-A");
    git("commit", "-qm", "the other half");
    return { range: "HEAD~2..HEAD", expected: ["altered", "altered"] };
  },
  revert: ({ git }) => {
    git("revert", "--no-edit", "HEAD");
    return { range: "HEAD", expected: ["altered"] };
  },
  "a forged trailer": ({ git, dir }, draw) => {
    writeFiles(dir, { "evil.txt": `evil ${draw(1_000)}\n` });
    git("add", "-A");
    git("commit", "-qm", `harmless\n\nThehood-Run: run_made000001\nAssisted-by: stub:implementer [thehood]`);
    return { range: "HEAD", expected: ["altered"] };
  },
};
