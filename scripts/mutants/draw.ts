// A sample without repetition: `count` of the numbers below `length`.
export function drawSome(length: number, count: number, random: () => number): ReadonlySet<number> {
  const left = Array.from({ length }, (_, index) => index);
  const drawn = Array.from({ length: Math.min(count, length) }, () => {
    const [taken] = left.splice(Math.floor(random() * left.length), 1);
    return taken;
  });
  return new Set(drawn.filter((index) => index !== undefined));
}
