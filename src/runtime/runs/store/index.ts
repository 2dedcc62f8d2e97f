// The door to the store of a repository's runs.
export { openStoreOf } from "./open.ts";
export { repositoryKey } from "./repository-key.ts";
