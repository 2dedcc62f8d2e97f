// The door to the user's own git: author and network settings.
export { userGitReader, type UserGit } from "./user-git.ts";
