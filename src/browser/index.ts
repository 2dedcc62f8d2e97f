// The door to the browser engine: ChatGPT, GitHub Copilot and Gemini driven in a browser of our own.
export { browserEngine } from "./engine.ts";
export { type BrowserMode, browserModes } from "./keeper/index.ts";
export type { PagePrograms } from "./tab/index.ts";
export { browserWorld } from "./machine.ts";
export type { BrowserWorld } from "./world.ts";
export { browserStatus, checkSite, login, startBrowser, stopBrowser } from "./manage.ts";
export { openBrowserPort } from "./port.ts";
