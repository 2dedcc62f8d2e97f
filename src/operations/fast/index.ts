// The door to the operations that start without the others.
export { quickOperations } from "../read/quick.ts";
