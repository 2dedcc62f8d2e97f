// The door to the replay of compiled languages.
export { replayCompiled } from "./compiled.ts";
