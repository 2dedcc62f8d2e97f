// The door to the process that owns the browser and lends its tabs.
export { type Gone, type KeeperLink, RefusedError, connectKeeper, findKeeper } from "./connect.ts";
export { type BrowserMode, browserModes } from "./protocol.ts";
