// `npm run test:crash -- --list`: the files of a long set and what each took when it last ran whole and passed on this machine,
// with its set or named alone: a set can be run in portions.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Results } from "./record.ts";

/** One after the other on two cores: what all long sets may take together. */
const mostMinutes = 180;

interface Timed {
  readonly testResults: readonly (Pick<Results["testResults"][number], "name" | "status"> & {
    readonly startTime?: number;
    readonly endTime?: number;
  })[];
}

export type Minutes = ReadonlyMap<string, number>;

/** Minutes by file. A file that failed says nothing about what the whole of it costs. */
export function minutesOf(root: string, { testResults }: Timed): Minutes {
  return new Map(
    testResults.flatMap(({ name, status, startTime, endTime }) =>
      status !== "passed" || startTime === undefined || endTime === undefined
        ? []
        : [[relative(root, name).replaceAll("\\", "/"), (endTime - startTime) / 60_000] as const],
    ),
  );
}

const fileOf = (root: string, set: string): string => join(root, ".build", `minutes-${set}.json`);

export function readMinutes(root: string, set: string): Minutes {
  const path = fileOf(root, set);
  return new Map(
    existsSync(path) ? Object.entries(JSON.parse(readFileSync(path, "utf8")) as Record<string, number>) : [],
  );
}

/** What ran now replaces what was measured before. */
export function keepMinutes(root: string, set: string, results: Timed): void {
  const all = new Map([...readMinutes(root, set), ...minutesOf(root, results)]);
  writeFileSync(fileOf(root, set), `${JSON.stringify(Object.fromEntries(all), null, 1)}\n`);
}

export interface LongSet {
  readonly set: string;
  readonly files: readonly string[];
  readonly minutes: Minutes;
}

const measured = ({ files, minutes }: LongSet): number[] => files.flatMap((file) => minutes.get(file) ?? []);
const sumOf = (found: readonly number[]): string => found.reduce((all, one) => all + one, 0).toFixed(1);

/** The files of the first set, and what all sets take together. */
export function listLines(listed: LongSet, others: readonly LongSet[]): string[] {
  const { set, files, minutes } = listed;
  const cost = (file: string): string => {
    const found = minutes.get(file);
    return found === undefined ? "not measured here" : `${found.toFixed(1)} min`;
  };
  const sets = [listed, ...others];
  const known = sets.flatMap(measured);
  const count = sets.reduce((sum, one) => sum + one.files.length, 0);
  return [
    ...files.toSorted().map((file) => `${cost(file).padStart(18)}  ${file}`),
    `${set}: ${files.length} files, ${measured(listed).length} measured here, ${sumOf(measured(listed))} min together`,
    `all long sets: ${count} files, ${known.length} measured here, ${sumOf(known)} min; they may take ${mostMinutes} min one after the other`,
  ];
}
