// How the engine is opened for a run: a new conversation, one to continue, or one that an earlier process began.
import type { ConversationRef, History, RunRequest } from "../../../core/contract/transport/index.ts";

export function openingOf(
  request: RunRequest,
  folder: { id: string; dir: string },
  resume: ConversationRef | null,
  history: History,
) {
  const key = resume?.key ?? folder.id;
  return {
    model: request.model,
    browser: request.browser && { ...request.browser, folder: folder.dir, key, reattach: resume !== null },
    api: request.api && { ...request.api, history },
  };
}
