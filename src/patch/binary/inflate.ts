// zlib's inflate (RFC 1950, 1951) for the data of binary patches: the result has a known size, and never grows beyond it.

interface Codes {
  /** How many codes have each length. */
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

class Broken extends Error {}

function buildCodes(lengths: Uint8Array): Codes {
  const counts = new Uint16Array(16);
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1;
  const offsets = new Uint16Array(16);
  let left = 1;
  for (let length = 1; length < 16; length++) {
    left = left * 2 - (counts[length] ?? 0);
    if (left < 0) throw new Broken();
    if (length < 15) offsets[length + 1] = (offsets[length] ?? 0) + (counts[length] ?? 0);
  }
  const symbols = new Uint16Array(lengths.length);
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue;
    const at = offsets[length] ?? 0;
    symbols[at] = symbol;
    offsets[length] = at + 1;
  }
  counts[0] = 0;
  return { counts, symbols };
}

const lengthBase = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
  227, 258,
];
const lengthExtra = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const distanceBase = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
  6145, 8193, 12289, 16385, 24577,
];
const distanceExtra = [
  0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
];
const codeOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

const fixed = {
  literals: buildCodes(
    Uint8Array.from({ length: 288 }, (_, symbol) =>
      symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8,
    ),
  ),
  distances: buildCodes(new Uint8Array(30).fill(5)),
};

class Inflater {
  readonly #input: Uint8Array;
  readonly output: Uint8Array;
  at = 2;
  length = 0;
  #bits = 0;
  #held = 0;

  constructor(input: Uint8Array, size: number) {
    this.#input = input;
    this.output = new Uint8Array(size);
  }

  #byte(): number {
    const byte = this.#input[this.at++];
    if (byte === undefined) throw new Broken();
    return byte;
  }

  #take(count: number): number {
    while (this.#held < count) {
      this.#bits |= this.#byte() << this.#held;
      this.#held += 8;
    }
    const value = this.#bits & ((1 << count) - 1);
    this.#bits >>>= count;
    this.#held -= count;
    return value;
  }

  #symbol({ counts, symbols }: Codes): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length < 16; length++) {
      code |= this.#take(1);
      const count = counts[length] ?? 0;
      if (code - count < first) return symbols[index + (code - first)] ?? 0;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new Broken();
  }

  #put(byte: number): void {
    if (this.length >= this.output.length) throw new Broken();
    this.output[this.length++] = byte;
  }

  #stored(): void {
    this.#bits = 0;
    this.#held = 0;
    const length = this.#byte() | (this.#byte() << 8);
    const check = this.#byte() | (this.#byte() << 8);
    if (length !== (~check & 0xffff)) throw new Broken();
    for (let count = 0; count < length; count++) this.#put(this.#byte());
  }

  #tables(): { literals: Codes; distances: Codes } {
    const literals = this.#take(5) + 257;
    const distances = this.#take(5) + 1;
    const codes = this.#take(4) + 4;
    if (literals > 286 || distances > 30) throw new Broken();
    const lengths = new Uint8Array(19);
    for (let index = 0; index < codes; index++) lengths[codeOrder[index] ?? 0] = this.#take(3);
    const coding = buildCodes(lengths);
    const all = new Uint8Array(literals + distances);
    for (let index = 0; index < all.length;) {
      const symbol = this.#symbol(coding);
      if (symbol < 16) all[index++] = symbol;
      else {
        const value = symbol === 16 ? all[index - 1] : 0;
        const times =
          symbol === 16 ? 3 + this.#take(2) : symbol === 17 ? 3 + this.#take(3) : 11 + this.#take(7);
        if (value === undefined || index + times > all.length) throw new Broken();
        all.fill(value, index, index + times);
        index += times;
      }
    }
    return { literals: buildCodes(all.subarray(0, literals)), distances: buildCodes(all.subarray(literals)) };
  }

  #coded({ literals, distances }: { literals: Codes; distances: Codes }): void {
    for (;;) {
      const symbol = this.#symbol(literals);
      if (symbol === 256) return;
      if (symbol < 256) {
        this.#put(symbol);
        continue;
      }
      const length = (lengthBase[symbol - 257] ?? 0) + this.#take(lengthExtra[symbol - 257] ?? 0);
      const code = this.#symbol(distances);
      const distance = (distanceBase[code] ?? 0) + this.#take(distanceExtra[code] ?? 0);
      if (symbol > 285 || code > 29 || distance > this.length) throw new Broken();
      for (let count = 0; count < length; count++) this.#put(this.output[this.length - distance] ?? 0);
    }
  }

  run(): void {
    const [method = 0, flags = 0] = this.#input;
    if ((method & 15) !== 8 || method >> 4 > 7 || (flags & 32) !== 0 || (method * 256 + flags) % 31 !== 0)
      throw new Broken();
    let last = false;
    while (!last) {
      last = this.#take(1) === 1;
      const kind = this.#take(2);
      if (kind === 0) this.#stored();
      else if (kind === 1) this.#coded(fixed);
      else if (kind === 2) this.#coded(this.#tables());
      else throw new Broken();
    }
    const sum = [this.#byte(), this.#byte(), this.#byte(), this.#byte()].reduce(
      (value, byte) => value * 256 + byte,
      0,
    );
    if (sum !== adler32(this.output)) throw new Broken();
  }
}

function adler32(bytes: Uint8Array): number {
  let low = 1;
  let high = 0;
  for (const byte of bytes) {
    low = (low + byte) % 65_521;
    high = (high + low) % 65_521;
  }
  return high * 65_536 + low;
}

/** The inflated bytes, exactly `size` of them, or undefined when the data is broken or has another size. */
export function inflate(input: Uint8Array, size: number): Uint8Array | undefined {
  // Deflate cannot shrink more than about a thousandfold: a greater claim is a lie, and not worth the memory.
  if (size > input.length * 1040 + 64) return undefined;
  const inflater = new Inflater(input, size);
  try {
    inflater.run();
  } catch (error) {
    if (error instanceof Broken) return undefined;
    throw error;
  }
  return inflater.length === size && inflater.at === input.length ? inflater.output : undefined;
}
