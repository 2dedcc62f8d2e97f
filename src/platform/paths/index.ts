// The door to files whose names came from outside: judged by their letters, reached without following anything out.
export { folderReader } from "./folder-reader.ts";
export { judgePath } from "./judge.ts";
export { holdParent, openUnder, readPlain, readUnder, writeUnder } from "./open.ts";
export { isSafeSegment, type PathOp } from "./lexical.ts";
export { isGitName, isReservedName, isStateName } from "../system/index.ts";
export { isSecretPath } from "./secret-names.ts";
export { type OpenFolder } from "./walk.ts";
export { namedProgram, searchPath } from "./search-path.ts";
