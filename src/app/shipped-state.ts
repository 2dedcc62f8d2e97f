// The closer look at a repository that may ship state of ours: loaded when the first look was not enough.
export { refuseTrackedState } from "../workspace/git/index.ts";
