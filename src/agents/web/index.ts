// The door to roles played in a web page.
export { type PageMemory, pageMemory } from "./conversations.ts";
export { createWebRole, webSites, type BrowserFound } from "./role.ts";
