// The door of the engine: the one loop.
export type { AdvanceOptions, Advanced, AdvanceStop } from "./advance.ts";
export type { LoopOptions, LoopStop, Looped } from "./engine.ts";
export { cleanDeep } from "./clean.ts";
export { readEvent } from "./watch.ts";
export { type Engine, createEngine } from "./engine.ts";
export { createRunReader } from "./turns.ts";
export { type WatchedEvent, watch } from "./watch.ts";
export type { RunListener, EnginePorts, TextPort } from "./ports.ts";
