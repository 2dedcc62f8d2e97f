// The door of this room: every shape that crosses a wall.
export * from "./artifact.ts";
export * from "./config.ts";
export * from "./disk-failure.ts";
export * from "./failure.ts";
export * from "./judge.ts";
export type * from "./judges.ts";
export * from "./plain.ts";
export * from "./process.ts";
export * from "./provider.ts";
export * from "./provider-settings.ts";
export type * from "./repository.ts";
export * from "./response/index.ts";
export * from "./role.ts";
export * from "./run/index.ts";
export * from "./store.ts";
export * from "./suggestion.ts";
export * from "./words.ts";
export * from "./world.ts";
