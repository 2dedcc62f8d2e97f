// The door of this room: one thing a user can ask for is one operation, whatever the surface.
export type { Given, Judges, PatchApplied, PatchCheckOptions, RepositoryReport } from "./given.ts";
