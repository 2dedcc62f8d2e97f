// The door to replay: calls that were recorded under a check, made again outside of it.
export { replayCalls, type Replay } from "./replay.ts";
