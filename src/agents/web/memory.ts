// The memory of a page's conversations, as calls use it.
import type { ProviderCall } from "../../core/contract/index.ts";
import type { ConversationRef } from "../../core/contract/transport/index.ts";

export interface PageMemory {
  recall(name: string): ConversationRef | undefined;
  /** On disk when it returns. */
  keep(name: string, ref: ConversationRef): void;
  forget(name: string): void;
}

/** The name under which a later process finds a call again. */
export const handleOf = ({ callId }: Pick<ProviderCall, "callId">) => `call-${callId}`;
