// The difference of a checkout to a commit, as people, models and programs may see it.
import { fromBytePath, git, isUtf8, splitRecords, type Repository } from "../../git/index.ts";
import { isSecretPath } from "../../paths/index.ts";

const mostNamed = 200;

/** So many names of files fit into one call of git. */
const atOnce = 400;

const differing = async (repository: Repository, from: string): Promise<string[]> =>
  splitRecords((await git(repository, ["diff", "--name-only", "-z", "--no-renames", from, "--"])).stdout);

/** Files whose names say that they hold secrets are named and not shown. */
export async function showableDiff(repository: Repository, from: string): Promise<Uint8Array> {
  const all = (await differing(repository, from)).map((path) => ({ path, name: fromBytePath(path) }));
  const held = all.filter(({ name }) => isSecretPath(name)).map(({ name }) => name);
  const show = async (paths: readonly string[]) =>
    (await git(repository, ["diff", "--binary", "--full-index", from, "--", ...paths])).stdout;
  if (held.length === 0) return show([]);
  // A name that was a file and is a folder now would bring along all files of the folder.
  const shown = all.filter(
    ({ path, name }) =>
      isUtf8(path) && !held.includes(name) && !held.some((one) => one.startsWith(`${name}/`)),
  );
  const parts: Buffer[] = [];
  for (let at = 0; at < shown.length; at += atOnce)
    parts.push(await show(shown.slice(at, at + atOnce).map(({ name }) => name)));
  const notes = held
    .slice(0, mostNamed)
    .map((name) => `# ${name} differs and is not shown: its name says that it holds secrets\n`);
  return Buffer.concat([Buffer.from(notes.join("")), ...parts]);
}
