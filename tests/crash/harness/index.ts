// The crash harness. It knows nothing of the store: it is given a program, and a way to judge what the program left.
//
//   runWithFault(program, fault)      one run with one fault at one system call
//   walkBoundaries({ calls, … })      the same fault at the 1st, 2nd, 3rd … call until a run ends untouched
//   recordDisk(program, root)         runs it once and gives back every change to the disk under `root`, in order
//   powerLossStates(recording)        every disk that a power loss at any moment of that run may leave behind
//   layDown(state, folder)            writes one of them out, to be opened and judged
//   packProgram(entry)                one quick-starting file out of a TypeScript program
export { packProgram } from "./bundle.ts";
export * from "./strace.ts";
export { recordDisk, type DiskOp, type Recording } from "./record.ts";
export { layDown, powerLossStates, type DiskState } from "./power-loss.ts";
