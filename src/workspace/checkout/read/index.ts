// The door to reading a checkout or a tree without changing anything.
export { readShowable, recentPaths, showableFiles } from "./files.ts";
export { createRepositoryReader } from "./for-hosts/reader.ts";
export { createVeil } from "./for-hosts/shared-folder.ts";
export { gitTreeReader } from "./tree-reader.ts";
export { showableDiff } from "./diff.ts";
