// Owns what a program is given to read: all of it at once, or piece by piece in a conversation.
import type { Writable } from "node:stream";
import type { CommandInput, CommandRequest } from "../../core/contract/index.ts";

/** How much a program may leave unread before we stop filling our own memory for it. */
const unreadBytes = 32 * 1024 ** 2;

export const takesInput = ({ stdin, converse }: CommandRequest): boolean =>
  stdin !== undefined || converse !== undefined;

/** A program may exit, or close its input, before it has read what we give it: that is its right. */
export function feed(input: Writable | null, { stdin, converse }: CommandRequest): void {
  if (!input) return;
  input.on("error", () => input.destroy());
  if (converse) converse(openInput(input));
  else input.end(stdin ?? "");
}

function openInput(input: Writable): CommandInput {
  return {
    write(text) {
      if (!input.writable || input.writableLength + Buffer.byteLength(text) > unreadBytes) return false;
      input.write(text);
      return true;
    },
    end: () => void input.end(),
  };
}
