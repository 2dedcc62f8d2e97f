// The door to roles played in a web page, and to the engines behind them. The double plays a script; drivers of real
// pages will stand beside it.
export { browserDouble } from "./double.ts";
export { chatGptWeb, createWebRole } from "./role.ts";
