// The door to the words that every surface uses for an event.
export { describeEvent, type EventDescription } from "../../core/machine/view/index.ts";
export { describeActivity } from "./activity.ts";
