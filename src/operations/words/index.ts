// The door to the words that every surface uses for an event.
export { eventWords, type EventWords } from "../../machine/view/index.ts";
export { activityWords } from "./activity.ts";
