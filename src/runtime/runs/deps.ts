// The needs of the runs of a repository: things of the machine and of the user. The app hands them in; heavy ones are
// behind functions.
import type {
  CommandRunner,
  CommandPlace,
  CommandVerdict,
  Configs,
  LeaseOwner,
  Notice,
  ProviderRegistry,
  RunEvent,
  SentNotice,
  Store,
} from "../../core/contract/index.ts";
import type { SharedStore } from "../../platform/config/shared-store/index.ts";
import type { RepositoryLocation } from "../../platform/git/index.ts";
import type { UserGit } from "../../platform/git/user/index.ts";
import type { RunWait } from "../../operations/index.ts";
import type { SecretOptions } from "../../core/secrets/index.ts";

export interface RunsDeps {
  providers(root: string): Promise<ProviderRegistry>;
  /** The configuration of the user and of the repository at `root`. */
  configs(root: string): Promise<Configs>;
  /** The user's own rules and exceptions about secrets. */
  secrets(): Promise<SecretOptions>;
  /** Classifies an argument vector before it may run (S-9). */
  classify(argv: readonly string[], root: string, cwd: string, where: CommandPlace): Promise<CommandVerdict>;
  /** The shared store that the user configured; undefined for the embedded one. */
  sharedStore(): Promise<SharedStore | undefined>;
  /**
   * Offers a run to the fleet; false for a run of this machine. Missing where no store is shared,
   * and for a worker, which does the work itself.
   */
  offer?(runId: string): Promise<boolean>;
  /** Those of these runs that the fleet advances. Missing where `offer` is. */
  waits?(runIds: readonly string[]): Promise<ReadonlyMap<string, RunWait>>;
  /** Puts something before each append of a store that was opened to write. */
  packing?(store: Store<RunEvent>, place: RepositoryLocation): Promise<Store<RunEvent>>;
  readonly commands: CommandRunner;
  /** Folders for trees that are checked out to be judged, best first. */
  readonly scratchFolders: readonly string[];
  /** The folder of the user that holds the key and the signed heads of logs. */
  readonly evidenceDir: string;
  /** The name under which this user commits in the repository at `root`. */
  author(root: string): Promise<{ readonly name: string; readonly email: string }>;
  /** The user's own git for a push, and the variables that their `gh` or `glab` needs. */
  network(root: string): Promise<{
    readonly git: UserGit["network"];
    readonly variables: Readonly<Record<string, string | undefined>>;
  }>;
  readonly version: string;
  /** Sends a notice by every way that the user has set; nothing where none is set. */
  notify(notice: Omit<Notice, "link">, root: string): Promise<readonly SentNotice[]>;
  /** One line for the person, beside the answer of a command. */
  warn(line: string): void;
  /** Lets a local implementer edit the checkout itself. */
  readonly allowDirectEdit: boolean;
  /** A run is started here: the repository is one of the user's. */
  remember(root: string): Promise<void>;
  /** The process that this one has started to advance a run, until it ends. */
  startedHere(runId: string): LeaseOwner | null;
}
