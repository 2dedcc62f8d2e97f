// The tree without files. `git mktree` makes it too, but does not heed `core.fsync`: after a power loss its file is empty.
import type { Repository } from "./locate.ts";
import { git, gitSync } from "./run.ts";

const args = ["hash-object", "-t", "tree", "-w", "--stdin"];
const idIn = (stdout: Buffer): string => stdout.toString("latin1").trim();

export const writeEmptyTree = async (repository: Repository): Promise<string> =>
  idIn((await git(repository, args, { stdin: "" })).stdout);

export const writeEmptyTreeSync = (repository: Repository): string =>
  idIn(gitSync(repository, args, { stdin: "" }).stdout);
