// The door to results within a number of bytes.
export { truncateToBytes, sentBytes } from "./truncate.ts";
export { pageOf, type TextPage } from "./page.ts";
