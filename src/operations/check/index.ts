// The door of the judges' operations.
export { judgeLine, type LineDefaults, type LineJudge } from "./lines.ts";
