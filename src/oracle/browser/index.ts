// The browser engine: ChatGPT, GitHub Copilot and Gemini driven in a browser of our own.
export { browserDeps, type BrowserDeps } from "./deps.ts";
export { browserEngine } from "./engine.ts";
export { browserStatus, login, openBrowserPort, stopBrowser } from "./manage.ts";
