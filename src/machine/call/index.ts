// The door to calls: asking, briefing, holding, trouble.
export * from "./ask.ts";
export * from "./brief.ts";
export * from "./open-call.ts";
export * from "./sources.ts";
export * from "./trouble.ts";
