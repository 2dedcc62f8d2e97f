// Git's view of the checkout for a client: status and differences, without hidden files, redacted.
import { fail, FailureError } from "../../../../core/contract/index.ts";
import {
  fromBytePath,
  git,
  parseRaw,
  readBlobs,
  splitRecords,
  type RawChange,
  type Repository,
} from "../../../../platform/git/index.ts";
import { readUnder } from "../../../../platform/paths/index.ts";
import { marker } from "../../../../core/secrets/index.ts";
import { isHidden } from "../files.ts";
import { type SharedFolder, type Veil, withheld } from "./shared-folder.ts";

function must({ repository, root }: SharedFolder): Repository {
  return (
    repository ??
    fail("not_a_repository", `${root} is not a git repository.`, {
      remedy: "Run git init, and commit something.",
    })
  );
}

export async function gitState(shared: SharedFolder, limit: number, veil: Veil) {
  const repository = must(shared);
  const { stdout } = await git(repository, ["status", "--porcelain=v1", "-z", "--untracked-files=all"]);
  const mine = splitRecords(stdout)
    .map((record) => ({ code: record.slice(0, 2), path: fromBytePath(record.slice(3)) }))
    .filter(({ path }) => path.startsWith(shared.prefix))
    .map(({ code, path }) => ({
      path: path.slice(shared.prefix.length),
      index: code[0] ?? " ",
      worktree: code[1] ?? " ",
    }));
  const shown = mine.filter(({ path }) => !isHidden(path));
  return {
    head: await firstLine(repository, ["rev-parse", "--verify", "--quiet", "HEAD"]),
    branch: await firstLine(repository, ["symbolic-ref", "-q", "--short", "HEAD"]),
    changes: shown.slice(0, limit).map((one) => ({ ...one, path: veil.redact(one.path, "file names") })),
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
    found ?? fail("not_found", `base: there is no commit ${base}.`, { remedy: "Give a commit, a branch or a tag." })
  );
}

const mostPaths = 2_000;
const mostBytes = 16 << 20;

export async function gitDiff(
  shared: SharedFolder,
  query: { path: string; staged: boolean; base: string | undefined },
  veil: Veil,
) {
  const repository = must(shared);
  const head = await firstLine(repository, ["rev-parse", "--verify", "--quiet", "HEAD"]);
  const from = query.base === undefined ? head : await commitOf(repository, query.base);
  const sides = [...(query.staged ? ["--cached"] : []), ...(from === null ? [] : [from])];
  const listed = await git(repository, ["diff", "--raw", "-z", "--no-abbrev", "--no-renames", ...sides, "--"]);
  const under = query.path.replace(/^(?:\.\/)+|\/+$/g, "");
  const mine = parseRaw(listed.stdout)
    .filter(({ path }) => fromBytePath(path).startsWith(shared.prefix))
    .map((change) => ({ ...change, name: fromBytePath(change.path).slice(shared.prefix.length) }))
    .filter(({ name }) => under === "" || under === "." || name === under || name.startsWith(`${under}/`));
  const shown = mine.filter(({ name }) => !isHidden(name)).slice(0, mostPaths);
  const hidden = mine.length - shown.length;
  const secrets = await secretsOf(shared, repository, shown, veil);
  // Hunks show a key of many lines only in part, and the part alone is not recognised.
  const closed = secrets.filter(({ secret }) => veil.withholds || secret.includes("\n"));
  const held = new Set(closed.map(({ name }) => name));
  const open = shown.filter(({ name }) => !held.has(name)).map(({ path }) => fromBytePath(path));
  const notes = [...held].map((name) => `${withheld(name)}\n`);
  if (open.length === 0) return { text: notes.join(""), hidden };
  const found = await git(repository, ["diff", "--no-renames", ...sides, "--", ...open], {
    maxBytes: mostBytes,
  });
  const whole = secrets.reduce((text, { secret }) => text.replaceAll(secret, marker), found.stdout.toString("utf8"));
  const sections = whole.split(/^(?=diff --git )/m).map((section) => veil.redact(section, "changes.diff"));
  return { text: [...notes, ...sections].join(""), hidden };
}

type NamedChange = RawChange & { readonly name: string };
const fileModes = ["100644", "100755", "120000"];

/** The secrets that the changed files hold before or after their change. */
async function secretsOf(
  shared: SharedFolder,
  repository: Repository,
  changes: readonly NamedChange[],
  veil: Veil,
): Promise<{ name: string; secret: string }[]> {
  // An id of zeros means the file in the work tree.
  const sides = changes.flatMap(({ name, oldMode, oldId, newMode, newId }) =>
    [
      { name, mode: oldMode, id: oldId },
      { name, mode: newMode, id: newId },
    ].filter(({ mode }) => fileModes.includes(mode)),
  );
  const stored = sides.filter(({ id }) => !/^0+$/.test(id));
  const blobs = await readBlobs(
    repository,
    stored.map(({ id }) => id),
  );
  const texts = [
    ...stored.map(({ name }, index) => ({ name, text: (blobs[index] ?? Buffer.alloc(0)).toString("utf8") })),
    ...sides.filter(({ id }) => /^0+$/.test(id)).map(({ name }) => ({ name, text: textUnder(shared, name) })),
  ];
  return texts.flatMap(({ name, text }) => veil.secretsIn(text, name).map((secret) => ({ name, secret })));
}

/** A file that cannot be read, such as a link to the outside, has no text that its difference could show. */
function textUnder({ root }: SharedFolder, name: string): string {
  try {
    return readUnder(root, name, { maxBytes: mostBytes }).toString("utf8");
  } catch (error) {
    if (error instanceof FailureError) return "";
    throw error;
  }
}
