// A part of a long text, cut between characters, with where the next part begins.

export interface TextPage {
  readonly content: string;
  readonly offset: number;
  readonly total_bytes: number;
  readonly next_offset: number | null;
}

/** Whether a byte begins a character. */
const begins = (byte: number | undefined) => byte === undefined || (byte & 0xc0) !== 0x80;

export function pageOf(bytes: Uint8Array, offset: number, most: number): TextPage {
  let from = Math.min(offset, bytes.length);
  while (!begins(bytes[from])) from += 1;
  let to = Math.min(from + most, bytes.length);
  while (to > from && !begins(bytes[to])) to -= 1;
  if (to === from && from < bytes.length) to = Math.min(from + 4, bytes.length);
  return {
    content: new TextDecoder().decode(bytes.subarray(from, to)),
    offset: from,
    total_bytes: bytes.length,
    next_offset: to < bytes.length ? to : null,
  };
}
