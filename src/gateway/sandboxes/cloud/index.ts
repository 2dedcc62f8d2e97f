// The door to boxes on machines of a cloud.
export { e2bBoxes } from "./e2b.ts";
export { modalBoxes } from "./modal.ts";
