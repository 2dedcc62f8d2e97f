// A short text with finished marks may be a status or an announcement of work. Pure.
import type { AnswerLook } from "../shapes.ts";

interface Seen {
  /** A placeholder stood in the turn before this text. */
  readonly isThought: boolean;
  /** The page showed that it worked on the answer. */
  readonly isWorkSeen: boolean;
}

/** True where the finished marks alone do not prove that this text is the answer. */
export function isDoubtful(answer: AnswerLook, seen: Seen, shortText: number): boolean {
  if (answer.markdown.trim().length >= shortText) return false;
  return answer.preamble || seen.isThought || !seen.isWorkSeen;
}
