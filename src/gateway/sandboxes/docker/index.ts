// The door to boxes in Docker.
export { dockerBoxes } from "./provider.ts";
