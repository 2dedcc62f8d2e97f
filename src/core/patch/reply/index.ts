// Answers of models for other rooms: fenced blocks of a reply → the one diff it proposes, or the reason why there is none.
export { findFences } from "./fences.ts";
export { diffReasons, replyReasons } from "./reasons.ts";
export { extractReply, scoreBlock, selectDiff, type SelectedDiff } from "./select.ts";
export { pathsOutside, strictFault } from "./strict.ts";
