// The door to looking at a checkout or a tree without changing anything.
export { isShowable, readShowable, recentPaths, showableFiles, type ShowableFile } from "./files.ts";
export { gitTreeReader } from "./tree-reader.ts";
