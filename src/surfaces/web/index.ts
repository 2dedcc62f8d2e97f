// The server of the page: it serves the page itself, performs operations for it, and streams what changes.
export { readPageFiles } from "./files.ts";
export { openerOf } from "./open.ts";
export { savePage } from "./save.ts";
export { createPageService, type PageService, type PageServerDeps } from "./service.ts";
export { serveWeb, type WebServing } from "./serve.ts";
