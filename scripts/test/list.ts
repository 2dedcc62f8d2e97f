// `npm run test:crash -- --list`: the files of a long set and what each took when the set last ran whole on this machine.
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import type { Results } from "./record.ts";

/** One after the other on two cores: what all long sets may take together. */
const mostMinutes = 180;

interface Timed extends Results {
  readonly testResults: readonly (Results["testResults"][number] & {
    readonly startTime?: number;
    readonly endTime?: number;
  })[];
}

/** Minutes by file, from the record of the set. */
export function minutesOf(root: string, results: Timed | undefined): ReadonlyMap<string, number> {
  return new Map(
    (results?.testResults ?? []).flatMap(({ name, startTime, endTime }) =>
      startTime === undefined || endTime === undefined
        ? []
        : [[relative(root, name).replaceAll("\\", "/"), (endTime - startTime) / 60_000] as const],
    ),
  );
}

export function listLines(set: string, files: readonly string[], minutes: ReadonlyMap<string, number>): string[] {
  const known = files.filter((file) => minutes.has(file));
  const sum = known.reduce((all, file) => all + (minutes.get(file) ?? 0), 0);
  const cost = (file: string): string => {
    const found = minutes.get(file);
    return found === undefined ? "not measured here" : `${found.toFixed(1)} min`;
  };
  return [
    ...files.toSorted().map((file) => `${cost(file).padStart(18)}  ${file}`),
    `${set}: ${files.length} files, ${known.length} measured when the set last ran whole here, ${sum.toFixed(1)} min together; all long sets may take ${mostMinutes} min`,
  ];
}

export const readTimed = (path: string): Timed | undefined =>
  existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Timed) : undefined;
