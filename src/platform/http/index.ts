// The door to HTTP for all our servers: one listener, one guard, bounded bodies, limits for slow clients.
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
export { keepHeapSmall } from "./heap-size.ts";
export { aborted, clientGone, listenOn, readBody, sendJson, stream, type Listening } from "./server.ts";
export { EventTooLong, serverEvents } from "./sse.ts";
