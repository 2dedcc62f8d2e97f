// The door to roles played in a web page.
export { chatGptWeb, createWebRole, webSites, type BrowserFound } from "./role.ts";
