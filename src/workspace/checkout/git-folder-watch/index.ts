// The door to the watch over a shared git folder.
export { changedBetween, printCheckout } from "./fingerprint.ts";
export { asideFolder, endGitFolderWatch, watchGitFolder } from "./watch.ts";
