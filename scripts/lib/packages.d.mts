// The types of packages.mjs for tests.
interface Entry {
  readonly version?: string;
}
interface Lock {
  readonly packages: Readonly<Record<string, Entry>>;
  readonly lockfileVersion: number;
}
export const buildPackages: readonly string[];
export function partOfLock(lock: Lock, names: readonly string[]): { readonly about: object; readonly lock: Lock };
