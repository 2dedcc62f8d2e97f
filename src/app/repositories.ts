// The repositories of this user, as the state folder remembers them.
import { locateRepository } from "../platform/git/index.ts";
import { knownRepositories } from "../runtime/runs/repositories/index.ts";
import type { Environment } from "./environment.ts";

export function repositoriesOf(folder: string, { stateDir }: Environment): readonly string[] {
  const { root } = locateRepository(folder);
  return [root, ...knownRepositories(stateDir).filter((known) => known !== root)];
}
