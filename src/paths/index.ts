// The door to files whose names came from outside: judged by their letters, reached without following anything out.
export { judgePath } from "./judge.ts";
export {
  holdParent,
  openUnder,
  readPlain,
  readUnder,
  writeUnder,
  type OpenedFile,
  type OpenMode,
  type OpenOptions,
} from "./open.ts";
export { isSafeSegment, pathReasons, type PathOp, type PathReason } from "./lexical.ts";
export { isGitName, isReservedName, isStateName } from "./names/index.ts";
export { isSecretName, isSecretPath } from "./secret-names.ts";
export { PathRefusal, type HeldFolder } from "./walk.ts";
export { searchPath } from "./search-path.ts";
