// The door to the API engine.
export { apiEngine, type ApiWorld } from "./engine.ts";
