// The door to the steps of a driver, in their order: ready, model, attach, insert, send, await, capture.
export { attachFiles } from "./attach.ts";
export { awaitAnswer, isConversation } from "./await.ts";
export { captureAnswer } from "./capture.ts";
export { type Drive, snapshotPage, refuseStep, until } from "./context.ts";
export { answeredByOther, chooseModel } from "./model.ts";
export { tryPress } from "./press.ts";
export { openPage, untilHistory, untilReady } from "./ready.ts";
export { insertPrompt, ourTurn, pressSend, promptHash } from "./send.ts";
