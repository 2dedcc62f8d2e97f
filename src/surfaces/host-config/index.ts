// The door to TheHood in the configuration of other agent programs.
export { configureHost, listHosts } from "./configure.ts";
