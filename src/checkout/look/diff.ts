// The difference of a checkout to a commit, as people, models and programs may see it.
import { fromBytePath, git, splitRecords, type Repository } from "../../git/index.ts";
import { isSecretPath } from "../../paths/index.ts";

const mostNamed = 200;

/** Changed files whose names say that they hold secrets. */
async function secretPaths(repository: Repository, from: string): Promise<string[]> {
  const { stdout } = await git(repository, ["diff", "--name-only", "-z", "--no-renames", from, "--"]);
  return splitRecords(stdout)
    .map((path) => fromBytePath(path))
    .filter((path) => isSecretPath(path))
    .slice(0, mostNamed);
}

/** Such files are named and not shown. */
export async function showableDiff(repository: Repository, from: string): Promise<Uint8Array> {
  const held = await secretPaths(repository, from);
  const left = held.map((path) => `:(exclude,top,literal)${path}`);
  const { stdout } = await git(repository, ["diff", "--binary", "--full-index", from, "--", ":/", ...left]);
  const notes = held.map(
    (path) => `# ${path} differs and is not shown: its name says that it holds secrets\n`,
  );
  return Buffer.concat([Buffer.from(notes.join("")), stdout]);
}
