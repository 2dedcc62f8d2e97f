// The door to streamable HTTP.
export { listen } from "./server.ts";
export { serveHttp } from "./serve.ts";
