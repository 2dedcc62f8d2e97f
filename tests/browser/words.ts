// The closed words that tests of pages compare with.
export { failureTable } from "../../src/core/contract/index.ts";
export { type Site, sites } from "../../src/core/contract/transport/index.ts";
