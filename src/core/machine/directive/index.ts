// The door to directives.
export { draftDirective } from "./draft.ts";
