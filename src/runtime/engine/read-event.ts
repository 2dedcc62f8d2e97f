// The door from the disk: an event this version does not know is refused, not guessed at.
import { FailureError, type RunEvent, type StoredEvent } from "../../core/contract/index.ts";
import { readRunEvent } from "../../core/machine/index.ts";

export function readEvent(stored: StoredEvent<unknown>): StoredEvent<RunEvent> {
  const read = readRunEvent(stored.event, stored.runId, stored.seq);
  if (!read.ok) throw new FailureError(read.failure);
  return { ...stored, event: read.event };
}
