// The door of this room: one thing a user can ask for is one operation, whatever the surface.
export type { AnyOperation, Asking, Operation, Person, Question, Spoken } from "./operation.ts";
export type { Given, ServeOptions } from "./given.ts";
export type { Judges, PatchApplied, PatchCheckOptions, RepositoryReport } from "../contract/index.ts";
export type { ArtifactSlice, KeptWork, LoopEnd, LoopOptions, RepositoryRuns, Watcher } from "./runs-port.ts";
export type * from "../contract/setup/index.ts";
export type { CompactStatus, FullView } from "../machine/view/index.ts";
export type { StartRun, StartRunInput } from "./runs/start.ts";
export { refusedForHost } from "./host-files.ts";
