// The door of the machine: the run machine, its policy and its views. Pure.
export * from "./policy/index.ts";
export * from "./run/index.ts";
export * from "./view/index.ts";
