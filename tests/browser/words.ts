// The closed words that tests of pages compare with.
export { failureTable } from "../../src/contract/index.ts";
export { type Site, sites } from "../../src/contract/transport/index.ts";
