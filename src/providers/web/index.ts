// The door to roles played in a web page.
export { chatGptWeb, createWebRole } from "./role.ts";
