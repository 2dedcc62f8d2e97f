// The door to HTTP as each server of ours speaks it: one guard, bounded bodies, no patience with slow clients.
export {
  bearerOf,
  foreign,
  isJson,
  isLoopback,
  needsToken,
  sameSecret,
  turnAway,
  type Guard,
  type Served,
} from "./guard.ts";
export { aborted, clientGone, listenOn, readBody, sendJson, stream, type Listening } from "./server.ts";
export { EventTooLong, serverEvents } from "./sse.ts";
