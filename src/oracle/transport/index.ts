// The door of the transport: the transport over given parts.
export { createTransport } from "./service/index.ts";
export { prepareBundle } from "./files/index.ts";
export { openGitDoor } from "./git/door.ts";
export { runSession } from "./background/session-process.ts";
export { spawnRunner } from "./background/spawn.ts";
export { doctor } from "./doctor/index.ts";
export { userGitReader } from "../../platform/git/user/index.ts";
