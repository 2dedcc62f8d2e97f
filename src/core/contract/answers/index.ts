// The entry to the response contracts: the possible answers of each role, and how an answer is parsed.
export * from "./contracts.ts";
export { type DirectiveAck, ackField, directiveAck, makeAck, responseLimits, riskText } from "./fields.ts";
export * from "./read.ts";
export { strictSchema } from "./strict.ts";
export * from "./results.ts";
