// The door to the browser engine: ChatGPT, GitHub Copilot and Gemini driven in a browser of our own.
export { browserEngine } from "./engine.ts";
export { browserDeps } from "./deps-of-computer.ts";
export type { BrowserDeps } from "./deps.ts";
export { browserStatus, login, stopBrowser } from "./manage.ts";
export { openBrowserPort } from "./port.ts";
