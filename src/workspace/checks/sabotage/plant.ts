// Failures planted in test files: in every file that reads the change, because one file that notices shows nothing about
// the others. All files at once first; those that the report does not show as failed are tried alone.
import type { CheckControl } from "../../../core/contract/index.ts";
import type { Edit } from "../tree.ts";
import type { RanCheck } from "./control.ts";
import type { Sabotage } from "./plan.ts";

export interface PlantedFile {
  readonly path: string;
  /** Whether a reported test can be of this file. */
  readonly owns: (name: string) => boolean;
  /** Wrong values, the most informative first, then the file that fails as soon as it is loaded. */
  readonly tries: readonly Sabotage[];
  /** The base has no such file, or another one. */
  readonly isNew?: boolean;
}

export interface PlantDeps {
  /** null for a trial that shows nothing. */
  attempt(where: "work" | "base", one: Sabotage): Promise<boolean | null>;
  run(edits: readonly Edit[]): Promise<RanCheck>;
  /** The base notices it. */
  weakens(one: Sabotage): Promise<boolean>;
  hasTime(): boolean;
  baseFails(): Promise<boolean>;
  tell(line: string): void;
  /** The names of the tests that passed on the untouched work. */
  readonly passed: readonly string[];
}

export interface Planting {
  readonly canary: CheckControl["canary"];
  readonly planted?: NonNullable<CheckControl["planted"]>;
  readonly weakened: string | null;
  readonly blind?: true;
}

type Outcome =
  | { readonly is: "noticed" | "unnoticed" | "not_run" | "unclear" }
  | { readonly is: "weakened"; readonly what: string; readonly blind?: true };

/** However long it takes: the result must not depend on the load of the machine. */
const mostAlone = 6;
const mostNamed = 20;

export async function plantFailures(files: readonly PlantedFile[], deps: PlantDeps): Promise<Planting> {
  const seen = await noticedTogether(files, deps);
  const open = files.filter((file) => !seen.has(file.path));
  const is = new Map<string, Outcome["is"]>([...seen].map((path) => [path, "noticed"]));
  let untried = 0;
  for (const [at, file] of open.entries()) {
    if (at >= mostAlone && !deps.hasTime()) {
      untried += 1;
      continue;
    }
    const outcome = await plantIn(file, deps);
    if (outcome.is === "weakened")
      return { canary: "unnoticed", weakened: outcome.what, ...(outcome.blind ? { blind: true } : {}) };
    is.set(file.path, outcome.is);
  }
  return summary(files, is, untried);
}

function summary(files: readonly PlantedFile[], is: ReadonlyMap<string, Outcome["is"]>, untried: number): Planting {
  const withEnd = (end: Outcome["is"]) => files.filter(({ path }) => is.get(path) === end);
  const [noticed, unnoticed, idle] = [withEnd("noticed"), withEnd("unnoticed"), withEnd("not_run")];
  const canary = noticed.length > 0 ? "noticed" : unnoticed.length + idle.length > 0 ? "unnoticed" : "none";
  const tried = noticed.length + unnoticed.length;
  const deaf = unnoticed.filter(({ isNew }) => isNew === true).map(({ path }) => path);
  if (tried === 0 && untried === 0) return { canary, weakened: null };
  const planted = {
    tried,
    noticed: noticed.length,
    ...(unnoticed.length > 0 ? { unnoticed: unnoticed.map(({ path }) => path).slice(0, mostNamed) } : {}),
    ...(deaf.length > 0 ? { deaf: deaf.slice(0, mostNamed) } : {}),
    ...(untried > 0 ? { untried } : {}),
  };
  return { canary, planted, weakened: null };
}

/** The files of which a test fails that passed before, and that can be of no other file. */
async function noticedTogether(files: readonly PlantedFile[], deps: PlantDeps): Promise<Set<string>> {
  if (files.length < 2 || deps.passed.length === 0) return new Set();
  deps.tell(`a wrong value planted in each of ${files.length} test files`);
  const ran = await deps.run(files.flatMap(({ tries }) => tries[0]?.edits ?? []));
  const failed = (ran.tests?.failed ?? []).filter((name) => deps.passed.includes(name));
  if (ran.result !== "failed") return new Set();
  const owners = failed.map((name) => files.filter(({ owns }) => owns(name)));
  return new Set(owners.flatMap((all) => (all.length === 1 ? all.map(({ path }) => path) : [])));
}

/** The file is run, and none of the values that it compares counts: it proves nothing. */
async function plantIn({ tries }: PlantedFile, deps: PlantDeps): Promise<Outcome> {
  const missed: string[] = [];
  let ends: Outcome["is"] = "unclear";
  for (const [at, one] of tries.entries()) {
    if (at > 1 && !one.loads && !deps.hasTime()) continue;
    deps.tell(one.what);
    const noticed = await deps.attempt("work", one);
    if (noticed === null) continue;
    if (!noticed && (await deps.weakens(one))) return { is: "weakened", what: one.what };
    if (noticed && (!one.loads || missed.length === 0)) return { is: "noticed" };
    if (noticed) {
      // A base that fails cannot be compared with.
      if (await deps.baseFails()) return { is: "weakened", what: missed[0] ?? "", blind: true };
      return { is: "unnoticed" };
    }
    if (one.equal) missed.push(one.what);
    ends = one.loads ? "not_run" : "unnoticed";
  }
  return { is: ends };
}
