// The difference of a checkout to a commit, as people, models and programs may see it.
import { join } from "node:path";
import { fromBytePath, git, isUtf8, splitRecords, type Repository } from "../../../platform/git/index.ts";
import { isSecretPath } from "../../../platform/paths/index.ts";
import { entryAt } from "../../../platform/system/index.ts";

const mostNamed = 200;

/** So many names of files fit into one call of git. */
const atOnce = 400;

const differing = async (repository: Repository, from: string): Promise<string[]> =>
  splitRecords((await git(repository, ["diff", "--name-only", "-z", "--no-renames", from, "--"])).stdout);

const secret = "its name says that it holds secrets";
const mostBytes = 8 << 20;

/** Why a changed file is named and not shown. */
function heldBack(repository: Repository, name: string): string | undefined {
  if (isSecretPath(name)) return secret;
  const size = entryAt(join(repository.top, name))?.size ?? 0;
  return size > mostBytes ? `it is larger than ${mostBytes >> 20} MB` : undefined;
}

/** Files with the name of a secret file, and very large ones, are listed and not shown. */
export async function showableDiff(repository: Repository, from: string): Promise<Uint8Array> {
  const all = (await differing(repository, from)).map((path) => {
    const name = fromBytePath(path);
    return { name, passable: isUtf8(path), why: heldBack(repository, name) };
  });
  const held = all.filter(({ why }) => why !== undefined);
  const show = async (paths: readonly string[]) =>
    (await git(repository, ["diff", "--full-index", from, "--", ...paths])).stdout;
  if (held.length === 0) return show([]);
  // A name that was a file and is a folder now would bring along all files of the folder.
  const shown = all.filter(
    ({ name, passable, why }) => passable && why === undefined && !held.some((one) => one.name.startsWith(`${name}/`)),
  );
  const parts: Buffer[] = [];
  for (let at = 0; at < shown.length; at += atOnce)
    parts.push(await show(shown.slice(at, at + atOnce).map(({ name }) => name)));
  const notes = held.slice(0, mostNamed).map(({ name, why }) => `# ${name} differs and is not shown: ${why ?? ""}\n`);
  return Buffer.concat([Buffer.from(notes.join("")), ...parts]);
}
