// The door to the user's own git: author, network settings, pushing and fetching.
export { fetchRef, protocolOf, pushProtocols, pushRefs, remoteTip, type PushAddress } from "./push.ts";
export { userGitReader, type UserGit } from "./user-git.ts";
