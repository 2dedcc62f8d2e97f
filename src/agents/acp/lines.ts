// Cuts a stream of bytes into lines of bounded length.

const newline = 0x0a;

interface LineCutter {
  /** False when a line is too long: from then on nothing more comes of it. */
  push(chunk: Uint8Array): boolean;
}

export function createLineCutter(maxBytes: number, take: (line: string) => void): LineCutter {
  let pieces: Uint8Array[] = [];
  let held = 0;
  const hold = (piece: Uint8Array): boolean => {
    pieces.push(piece);
    held += piece.length;
    if (held > maxBytes) pieces = [];
    return held <= maxBytes;
  };
  const flush = () => {
    const line = Buffer.concat(pieces).toString("utf8");
    pieces = [];
    held = 0;
    if (line.trim() !== "") take(line);
  };
  return {
    push(chunk) {
      let from = 0;
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
        if (!hold(chunk.subarray(from, end))) return false;
        flush();
        from = end + 1;
      }
      return hold(chunk.subarray(from));
    },
  };
}
