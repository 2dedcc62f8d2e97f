// The door to results within a number of bytes.
export { fit, sentBytes } from "./fit.ts";
export { pageOf, type TextPage } from "./page.ts";
