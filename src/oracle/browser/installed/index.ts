// The door to what is known of a browser without starting one. Nothing of the engine is loaded for it.
export { forgetLogin, loggedInSites, rememberLogin } from "./logins.ts";
export { findBrowser, valueOf, type Variables } from "./program.ts";
