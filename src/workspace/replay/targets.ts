// Which files are recorded, and which are tests. Pure.
import { languageOf } from "../checks/index.ts";

/** Code that only runs as a test, by its name or its folder. Fixtures and helpers that a product may load are not. */
export const isTestCode = (path: string): boolean =>
  /(?:^|\/)(?:test_[^/]+|[^/]+_test|conftest)\.py$|\.(?:test|spec)\.[cm]?[jt]sx?$|_test\.go$/.test(path) ||
  (/(?:^|\/)(?:tests?|__tests__|specs?)\//.test(path) &&
    /\.(?:py|[cm]?[jt]sx?)$/.test(path) &&
    !/fixtures?\//.test(path));

const mostFiles = 200;

interface ChangedText {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

/** Changed source in a language whose calls can be recorded. */
export function recordable<T extends ChangedText>(files: readonly T[]): T[] {
  return files
    .filter(({ path }) => ["js", "python"].includes(languageOf(path) ?? "") && !isTestCode(path))
    .slice(0, mostFiles);
}
