// The door of the page's server: it serves the page, performs operations for it, and streams changes.
export { PairedDevices } from "./devices.ts";
export { readPageFiles, savePage } from "./files.ts";
export { openerOf } from "./open.ts";
export { createPageService, type PageService, type PageServerDeps } from "./service.ts";
export { serveWeb, type WebServing } from "./serve.ts";
