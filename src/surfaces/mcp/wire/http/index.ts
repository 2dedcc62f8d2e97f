// The door to streamable HTTP.
export { listen, type HttpOptions, type Listening } from "./server.ts";
export { serveHttp, type HttpServing } from "./serve.ts";
