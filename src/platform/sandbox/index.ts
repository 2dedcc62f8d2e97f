// The door of this folder: the runner that confines programs, and what it can really promise on this machine.
export { type RunnerOptions, createCommandRunner } from "./runner.ts";
export { confinement } from "./bubblewrap.ts";
export { detectSandbox, findProgram } from "./detect.ts";
export { hiddenFrom } from "./hidden-from.ts";
export { trustedPath } from "./environment.ts";
