// The app hands this to the setup room: everything that depends on the environment or on the providers there are.
import type { ProviderRegistry } from "../../core/contract/index.ts";
import type { ConfigFiles } from "../../platform/config/index.ts";
import type { SharedStore } from "../../platform/config/shared-store/index.ts";

export interface SetupDeps {
  readonly version: string;
  readonly configs: ConfigFiles;
  /** The user's search path, for the git of the demo and the sandbox of runs. */
  readonly path: string | undefined;
  /** The shared store that the user configured; undefined for the embedded one. */
  sharedStore(): SharedStore | undefined;
  /** Where the keys of the gateway are kept, or would be. */
  keysAre(): Promise<string>;
  /** The providers as a run in this repository would see them. */
  providers(root: string): ProviderRegistry;
}
