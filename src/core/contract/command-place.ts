// The places where a command can run, as its judge distinguishes them.
/**
 * Where a line runs. `machine`: on the user's machine, whose folders have no way back. `checkout`: in a checkout, where git
 * brings back what its last commit holds. `worktree`: in a sandbox that only lets a disposable copy of the project and an
 * empty temporary folder be written, without network.
 */
export const commandPlaces = ["machine", "checkout", "worktree"] as const;
export type CommandPlace = (typeof commandPlaces)[number];
