// Shows the user's checkout to the patch judge: its files, whether they are the user's, and git's knowledge of them.
import type { EntryKind, TreeReader } from "../../../core/patch/index.ts";
import { fromBytePath, gitSync, splitRecords } from "../../../platform/git/index.ts";
import { workEntry } from "./checkout.ts";
import type { CheckoutView } from "./view.ts";

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
