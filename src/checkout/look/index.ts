// The door to looking at a checkout or a tree without changing anything.
export { isShowable, readShowable, recentPaths, showableFiles, type ShowableFile } from "./files.ts";
export { createLook, createVeil, type Look, type LookOptions } from "./guest/index.ts";
export { gitTreeReader } from "./tree-reader.ts";
