// The public preview of `thehood` on npm: its command lines under their names here.
export { operations } from "../../../operations/index.ts";
export { translateLine } from "./translate.ts";
