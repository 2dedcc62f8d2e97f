// A value that is made when it is first asked for, and kept. A failed attempt is not kept.

interface Once<T> {
  (): Promise<T>;
  /** Whether it was asked for before. */
  started(): boolean;
}

export function once<T>(make: () => Promise<T>): Once<T> {
  let made: Promise<T> | undefined;
  const get = () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
  return Object.assign(get, { started: () => made !== undefined });
}

/** The same for a value that needs no waiting. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
