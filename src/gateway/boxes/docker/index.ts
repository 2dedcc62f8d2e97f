// The door to boxes in Docker.
export { dockerBoxes, type DockerOptions } from "./provider.ts";
