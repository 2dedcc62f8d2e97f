// Files that a worker wrote and the repository ignores: looked for once, before its folder goes.
import { rmSync } from "node:fs";
import { git, joinRecords, splitRecords } from "../../git/index.ts";
import { fileAt, through, type Lens } from "./stage.ts";

/** Folders that tools make again and that hold no work of a hand. */
const made =
  /(?:^|\/)(?:node_modules|bower_components|\.venv|venv|__pycache__|target|dist|build|_build|out|coverage|\.next|\.nuxt|\.turbo|\.parcel-cache|\.cache|\.gradle|\.tox|\.nox|\.eggs|\.(?:mypy|pytest|ruff)_cache|vendor|deps)\/|\.(?:pyc|pyo|o|obj|class|tsbuildinfo)$|(?:^|\/)\.DS_Store$/;
const mostIgnored = { files: 5_000, bytes: 256 << 20 };

/** The tree of what a worker wrote and the repository's own rules ignore: no part of its work, and yet not ours to lose. */
export async function stageIgnored(lens: Lens): Promise<{ tree: string | null; tooMuch: boolean }> {
  const args = ["ls-files", "-z", "-o", "-i", "--exclude-standard"];
  const listed = splitRecords((await git(lens.repository, args, through(lens))).stdout);
  const paths = listed.filter((path) => !path.endsWith("/") && !made.test(path));
  if (paths.length === 0) return { tree: null, tooMuch: false };
  const bytes = paths.reduce((sum, path) => sum + (fileAt(lens.workTree, path)?.size ?? 0), 0);
  if (paths.length > mostIgnored.files || bytes > mostIgnored.bytes) return { tree: null, tooMuch: true };
  const own = { ...lens, indexFile: `${lens.indexFile}.ignored` };
  try {
    const add = ["update-index", "-z", "--add", "--remove", "--stdin"];
    await git(lens.repository, add, through(own, { stdin: joinRecords(paths) }));
    const { stdout } = await git(lens.repository, ["write-tree"], through(own));
    return { tree: stdout.toString("latin1").trim(), tooMuch: false };
  } finally {
    rmSync(own.indexFile, { force: true });
  }
}
