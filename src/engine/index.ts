// The door of the engine: the one loop.
export type { AdvanceOptions, Advanced, AdvanceStop } from "./advance.ts";
export type { LoopOptions, LoopStop, Looped } from "./loop.ts";
export { readEvent } from "./read-event.ts";
export { type Engine, createEngine } from "./engine.ts";
export { Stop } from "./stop.ts";
export { createReader } from "./turns.ts";
export { type Watched, watch } from "./watch.ts";
export type { Listener, EnginePorts } from "./ports.ts";
