// The door to the scripted stub.
export { stubAnswer } from "./defaults.ts";
export { createStub } from "./provider.ts";
export { type StubEdit, type StubScript, type StubStep, parseStubScript, scriptFor } from "./script.ts";
