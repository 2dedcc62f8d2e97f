// What a change of a protected file can do to the checks: weaken them, only add to them, or follow another file.

/**
 * `weakens`: it can take something away from what is checked, or change how. `follows`: a tool writes it after another file
 * of the same change. `adds`: it was not there before and takes nothing away.
 */
export const protectedEffects = ["weakens", "follows", "adds"] as const;
export type ProtectedEffect = (typeof protectedEffects)[number];

/** Kinds of files that judge nothing by themselves while the tests of the base do not name them. */
const harmless = new Set(["test", "fixture", "snapshot", "schema", "auth", "container"]);

/** Files that runners load by their name before any test: a new one changes how the others run. */
const steersTests = /(?:^|\/)(?:conftest|__init__|[\w.-]*setup|[\w.-]*helpers?|globals?)\.\w+$/i;

/** A new file of these kinds is a test, or data for one: it cannot weaken the tests that were there. */
export const onlyAdds = (path: string, kinds: readonly string[]): boolean =>
  !steersTests.test(path) && kinds.every((kind) => harmless.has(kind));
