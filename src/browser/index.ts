// The door to the browser engine: ChatGPT, GitHub Copilot and Gemini driven in a browser of our own.
export { browserEngine } from "./engine.ts";
export { browserWorld } from "./machine.ts";
export type { BrowserWorld } from "./world.ts";
export { browserStatus, login, stopBrowser } from "./manage.ts";
export { openBrowserPort } from "./port.ts";
