// The door to the process that owns the browser and lends its tabs.
export {
  type Gone,
  type KeeperLink,
  type KeeperStart,
  RefusedError,
  connectKeeper,
  findKeeper,
} from "./connect.ts";
export { type BrowserMode, type KeeperSettings, type KeeperView, browserModes } from "./protocol.ts";
export { privateFolder } from "./place.ts";
