// The door to the scripted models.
export { generate } from "./gemini.ts";
export { messages } from "./messages.ts";
export { responses } from "./responses.ts";
export {
  type Action,
  type Directive,
  type Part,
  type Play,
  type Player,
  answerFor,
  directiveIn,
  playerOf,
} from "./play.ts";
export { type ModelServer, type SeenRequest, type Wire, serveModel } from "./server.ts";
