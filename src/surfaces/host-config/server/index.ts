// The door to the rules of a server that a host starts: its folders, its trusted environment, and the token of its clients.
export { storedToken, newToken } from "./token.ts";
export { refuseWholeHome, servedRoots, trustedEnvironment } from "./trust.ts";
