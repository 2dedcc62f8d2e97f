// The door to streamable HTTP.
export { listen, serveHttp } from "./server.ts";
