// The repositories of this user, as the state folder remembers them.
import { findPlace } from "../git/index.ts";
import { knownRepositories } from "../runs/known/index.ts";
import type { Environment } from "./environment.ts";

export function repositoriesOf(folder: string, { stateDir }: Environment): readonly string[] {
  const { root } = findPlace(folder);
  return [root, ...knownRepositories(stateDir).filter((known) => known !== root)];
}
