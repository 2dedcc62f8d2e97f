// The door to a leased tab.
export { type PagePrograms, Tab } from "./tab.ts";
