// The door to the user's own git: who they are, and where their keys for other machines lie.
export { userGitReader } from "./reader.ts";
export type { UserGit } from "./user.ts";
