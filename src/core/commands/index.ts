// The entry of this room: a shell line in, its class and the reasons out.
export { type CommandJudge, type KnownWorkspace, loadCommandJudge } from "./judge.ts";
