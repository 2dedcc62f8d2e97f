// The transport of `oracle`: requests, sessions, and the way of an answer to a commit.
export { createTransport } from "./service/transport.ts";
export { prepareBundle } from "./files/bundle.ts";
export { openGitDoor } from "./git/door.ts";
export { runSession } from "./background/start.ts";
export { spawnRunner } from "./background/start.ts";
export { doctor } from "./doctor/checks.ts";
export { userGitReader } from "../../platform/git/user/index.ts";
