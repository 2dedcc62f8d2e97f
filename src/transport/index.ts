// The door of the transport: the transport over given parts.
export { createTransport } from "./service/index.ts";
export { countTokens, prepareBundle } from "./files/index.ts";
export { openGitDoor } from "./git/door.ts";
export { runSession } from "./detached/session-process.ts";
export { spawnRunner } from "./detached/spawn.ts";
export { doctor } from "./doctor/index.ts";
export { userGitReader } from "../git/user/index.ts";
