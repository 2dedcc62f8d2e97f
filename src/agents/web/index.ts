// The door to roles played in a web page.
export type { PageMemory } from "./memory.ts";
export { createWebRole, webSites, type BrowserFound } from "./role.ts";
