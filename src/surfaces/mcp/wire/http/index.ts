// The door to streamable HTTP.
export { isLoopback } from "./guard.ts";
export { listen, type HttpOptions, type Listening } from "./server.ts";
export { serveHttp, type HttpServing } from "./serve.ts";
