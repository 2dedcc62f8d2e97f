// The facts about a browser that need no running one. Nothing of the engine is loaded for them.
export * from "./installed.ts";
export * from "./running.ts";
