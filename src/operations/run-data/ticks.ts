// Things as they come, and a tick where none came for a while: whoever follows a run looks then what its agents do.

export async function* withTicks<T>(things: AsyncIterable<T>, ms: number): AsyncGenerator<T | "tick"> {
  const iterator = things[Symbol.asyncIterator]();
  let coming = iterator.next();
  try {
    for (;;) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<"tick">((resolve) => {
        timer = setTimeout(() => resolve("tick"), ms);
      });
      const first = await Promise.race([coming, late]).finally(() => clearTimeout(timer));
      if (first === "tick") {
        yield "tick" as const;
        continue;
      }
      if (first.done) return;
      yield first.value;
      coming = iterator.next();
    }
  } finally {
    await iterator.return?.();
  }
}
