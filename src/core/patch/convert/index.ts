// Answers for other rooms: every form of a change that models write → one canonical patch, or the reason against it.
export { diffOfAnswer, type AnswerDiff, type AnswerOptions } from "./convert.ts";
export { conversionReasons } from "./proposal.ts";
