// The door to the store of a repository's runs.
export { openStoreOf, repositoryKey } from "./open.ts";
