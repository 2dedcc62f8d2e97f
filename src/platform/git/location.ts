// Where a folder belongs: its repository and the state folder of its runs. No git process is started for this.
import { existsSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../../core/contract/index.ts";
import { mayTrackState } from "./index-file.ts";
import { findRepository, type Repository } from "./locate.ts";
import { stateHome } from "./state-home.ts";

export interface RepositoryLocation {
  /** The top of the work tree, or the folder itself outside of any. */
  readonly root: string;
  readonly repository: Repository | undefined;
  readonly stateDir: string;
}

export function locateRepository(folder: string): RepositoryLocation {
  if (!existsSync(folder))
    fail("invalid_input", `There is no folder ${folder}.`, {
      remedy: "Give an existing folder with --repo.",
    });
  if (!statSync(folder).isDirectory())
    fail("invalid_input", `${folder} is not a folder.`, { remedy: "Give a folder with --repo." });
  const repository = findRepository(folder);
  const root = repository?.top ?? realpathSync.native(folder);
  return { root, repository, stateDir: repository ? stateHome(repository) : join(root, ".thehood") };
}

/** The same, and refused when the state there is not ours: a clone that ships it is not even looked into. */
export async function locateTrustedRepository(folder: string): Promise<RepositoryLocation> {
  const location = locateRepository(folder);
  if (location.repository && existsSync(join(location.root, ".thehood")) && mayTrackState(location.repository))
    (await import("./tracked-state.ts")).refuseTrackedState(location.repository);
  return location;
}
