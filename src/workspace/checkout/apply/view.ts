// A snapshot of a checkout: the last commit, the tree that counts as known, and the staged entries, each read once.
import {
  gitSync,
  writeEmptyTreeSync,
  type Repository,
  fromBytePath,
  splitRecords,
} from "../../../platform/git/index.ts";
import type { EntryKind, TreeReader } from "../../../core/patch/index.ts";
import { readIndexSync, readTreeSync, type BlobEntry, Checkout, workEntry } from "./checkout.ts";

/** The tree of the last commit, or the empty tree before there is one. */
function headTreeOf(repository: Repository): string {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^{tree}"];
  const { exitCode, stdout } = gitSync(repository, args, { accept: [0, 1, 128] });
  return exitCode === 0 ? stdout.toString("latin1").trim() : writeEmptyTreeSync(repository);
}

export const same = (a: BlobEntry | undefined, b: BlobEntry | undefined) => a?.id === b?.id && a?.mode === b?.mode;

export class CheckoutView {
  readonly repository: Repository;
  readonly checkout: Checkout;
  readonly knownTree: string;
  /** A second tree whose entries are ours when they are staged. */
  readonly #oursToo: string | undefined;
  #ours: Map<string, BlobEntry> | undefined;
  #headTree: string | undefined;
  #known: Map<string, BlobEntry> | undefined;
  #head: Map<string, BlobEntry> | undefined;
  #index: Map<string, BlobEntry> | undefined;

  /** `knownTree` is the state that counts as clean: the last commit, or what we ourselves integrated last. */
  constructor(repository: Repository, knownTree?: string, oursToo?: string) {
    this.repository = repository;
    this.#oursToo = oursToo;
    this.checkout = new Checkout(repository);
    if (knownTree === undefined) this.#headTree = headTreeOf(repository);
    this.knownTree = knownTree ?? this.#headTree ?? "";
  }

  /** The entry of the known tree at a path. */
  known(path: string): BlobEntry | undefined {
    this.#known ??= readTreeSync(this.repository, this.knownTree);
    return this.#known.get(path);
  }

  /** Read only where the known tree is not enough, which is rare. */
  committed(path: string): BlobEntry | undefined {
    this.#headTree ??= headTreeOf(this.repository);
    if (this.#headTree === this.knownTree) return this.known(path);
    this.#head ??= readTreeSync(this.repository, this.#headTree);
    return this.#head.get(path);
  }

  /** The staged entry at a path. */
  staged(path: string): BlobEntry | undefined {
    this.#index ??= readIndexSync(this.repository);
    return this.#index.get(path);
  }

  /** The entry of the second tree that is ours. */
  ours(path: string): BlobEntry | undefined {
    if (this.#oursToo === undefined) return undefined;
    this.#ours ??= readTreeSync(this.repository, this.#oursToo);
    return this.#ours.get(path);
  }

  /** Staged content that is neither committed nor among what we know: the user put it there. */
  stagedByUser(path: string, known: readonly (BlobEntry | undefined)[]): boolean {
    const staged = this.staged(path);
    const ours = this.#oursToo === undefined ? known : [...known, this.ours(path)];
    return !ours.some((entry) => same(entry, staged)) && !same(this.committed(path), staged);
  }

  /** Forgets what is staged, to be read again. */
  refresh(): void {
    this.#index = undefined;
    this.checkout.refresh();
  }
}

export function checkoutReader(view: CheckoutView): TreeReader {
  const { repository, checkout } = view;
  let listed: Set<string> | undefined;
  return {
    kind(path): EntryKind | undefined {
      const found = workEntry(repository, path);
      if (view.known(path)?.mode === "160000" && (!found || found.kind === "directory")) return "gitlink";
      if (!found) return undefined;
      return found.kind === "file" && found.executable ? "executable" : found.kind;
    },
    content(path) {
      const found = workEntry(repository, path);
      // Of a link its target: that is what a patch that removes it shows.
      if (found?.kind === "symlink") return found.bytes;
      if (found?.kind !== "file") return undefined;
      const entry = view.known(path);
      // Where the checkout converts line endings the patch is made against the blob, not against the converted file.
      if (entry && checkout.likeness(path, entry, found) === "converted")
        return gitSync(repository, ["cat-file", "-p", entry.id]).stdout;
      return found.bytes;
    },
    dirty(path) {
      const entry = view.known(path);
      return view.stagedByUser(path, [entry]) || checkout.likeness(path, entry) === undefined;
    },
    paths() {
      const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
      listed ??= new Set(splitRecords(gitSync(repository, args).stdout).map(fromBytePath));
      return listed;
    },
  };
}
