// The door to the user's own git: author, network settings and pushing.
export { protocolOf, pushProtocols, pushRefs, type PushAddress } from "./push.ts";
export { userGitReader, type UserGit } from "./user-git.ts";
