// The door to the judges of commands, patches, paths, secrets and repositories.
export { applyPatchFile, commandJudge, createJudges, workspaceOf } from "./judges.ts";
