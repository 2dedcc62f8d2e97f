// The door to notices: on the desktop, in the terminal, to addresses and programs of the user's.
export { showOnDesktop } from "./desktop.ts";
export { type Posted, postAgain } from "./post.ts";
export { sendNotice, type NoticeDeps } from "./send.ts";
