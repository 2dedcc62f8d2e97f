// The door to the API engine.
export { apiEngine } from "./engine.ts";
