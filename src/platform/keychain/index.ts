// The door to secrets that we must keep: in the keychain of the system, or in a private file.
export { createPrivate, keepSecret, readKept, whereKept } from "./kept-secret.ts";
export { findKeychain, type Keychain } from "./keychain.ts";
