// The door to the shared store's settings. It loads no parser, so that commands which only read start fast.
export { artifactCache, mayShareStore, sharedStoreOf, type SharedStore } from "../shared-store.ts";
