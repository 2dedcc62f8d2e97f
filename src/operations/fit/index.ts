// The door to results within a number of bytes.
export { fit, sentBytes } from "./fit.ts";
export { pageOf, type Page } from "./page.ts";
