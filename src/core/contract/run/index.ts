// The entry to the run contract: the commands that a run accepts, the events that it records, the effects that it requests.
export * from "./blind.ts";
export * from "./check.ts";
export * from "./doubt.ts";
export * from "./effect.ts";
export * from "./event.ts";
export * from "./evidence.ts";
export * from "./gate.ts";
export * from "./patch.ts";
export * from "./policy.ts";
export * from "./port.ts";
export * from "./request.ts";
export * from "./review.ts";
export * from "./side.ts";
export * from "./message.ts";
export * from "./vocabulary.ts";
export * from "./call.ts";
export * from "./command.ts";
