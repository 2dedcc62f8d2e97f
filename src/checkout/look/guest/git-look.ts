// Git's own view of the checkout for a guest: state and differences, without what is hidden, redacted.
import { fail } from "../../../contract/index.ts";
import { fromBytes, git, splitRecords, type Repository } from "../../../git/index.ts";
import { isHidden } from "../files.ts";
import type { GuestPlace } from "./place.ts";
import type { Redact } from "./read.ts";

function must({ repository, root }: GuestPlace): Repository {
  return (
    repository ??
    fail("not_a_repository", `${root} is not a git repository.`, {
      remedy: "Run git init, and commit something.",
    })
  );
}

export async function gitState(place: GuestPlace, limit: number) {
  const repository = must(place);
  const { stdout } = await git(repository, ["status", "--porcelain=v1", "-z", "--untracked-files=all"]);
  const mine = splitRecords(stdout)
    .map((record) => ({ code: record.slice(0, 2), path: fromBytes(record.slice(3)) }))
    .filter(({ path }) => path.startsWith(place.prefix))
    .map(({ code, path }) => ({
      path: path.slice(place.prefix.length),
      index: code[0] ?? " ",
      worktree: code[1] ?? " ",
    }));
  const shown = mine.filter(({ path }) => !isHidden(path));
  return {
    head: await firstLine(repository, ["rev-parse", "--verify", "--quiet", "HEAD"]),
    branch: await firstLine(repository, ["symbolic-ref", "-q", "--short", "HEAD"]),
    changes: shown.slice(0, limit),
    total: shown.length,
    hidden: mine.length - shown.length,
  };
}

async function firstLine(repository: Repository, args: readonly string[]): Promise<string | null> {
  const { exitCode, stdout } = await git(repository, args, { accept: [0, 1, 128] });
  return exitCode === 0 ? (stdout.toString("utf8").split("\n")[0] ?? null) : null;
}

async function commitOf(repository: Repository, base: string): Promise<string> {
  const found = await firstLine(repository, [
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    `${base}^{commit}`,
  ]);
  return (
    found ??
    fail("not_found", `base: there is no commit ${base}.`, { remedy: "Give a commit, a branch or a tag." })
  );
}

const mostPaths = 2_000;
const mostBytes = 16 << 20;

export async function gitDiff(
  place: GuestPlace,
  query: { path: string; staged: boolean; base: string | undefined },
  redact: Redact,
) {
  const repository = must(place);
  const head = await firstLine(repository, ["rev-parse", "--verify", "--quiet", "HEAD"]);
  const from = query.base === undefined ? head : await commitOf(repository, query.base);
  const what = [...(query.staged ? ["--cached"] : []), ...(from === null ? [] : [from])];
  const { stdout } = await git(repository, ["diff", "--name-only", "-z", "--no-renames", ...what, "--"]);
  const under = query.path.replace(/^(?:\.\/)+|\/+$/g, "");
  const mine = splitRecords(stdout)
    .filter((path) => fromBytes(path).startsWith(place.prefix))
    .filter((path) => {
      const name = fromBytes(path).slice(place.prefix.length);
      return under === "" || under === "." || name === under || name.startsWith(`${under}/`);
    });
  const shown = mine
    .filter((path) => !isHidden(fromBytes(path).slice(place.prefix.length)))
    .slice(0, mostPaths);
  if (shown.length === 0) return { text: "", hidden: mine.length };
  const paths = shown.map(fromBytes);
  const found = await git(repository, ["diff", "--no-renames", ...what, "--", ...paths], {
    maxBytes: mostBytes,
  });
  return { text: redact(found.stdout.toString("utf8"), "changes.diff"), hidden: mine.length - shown.length };
}
