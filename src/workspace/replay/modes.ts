// Variables by which code may openly know that it is tested: those that the command of the check on the base commit sets, which
// the work cannot change unasked, and the one that runners of JavaScript set. Pure.

const byRunners = "NODE_ENV=test";

/** Values that need no quotes in a shell. */
const assignment = /(?<=^|[\s;&|("'])([A-Z][A-Z0-9_]{1,60})=([\w./:@-]{1,100})(?=[\s;&|)"']|$)/g;

/** Variables that say nothing about tests: where programs are found, and how a runner starts. */
const ofPrograms = /^(?:PATH|HOME|TZ|LANG|LC_\w+|NODE_OPTIONS|NODE_PATH|PYTHON\w*|LD_\w+|DYLD_\w+)$/;

const most = 8;

/** `script`: the whole command line of the check on the base commit. */
export function declaredModes(script: string): readonly string[] {
  const found = [...script.matchAll(assignment)].flatMap(([, name = "", value = ""]) =>
    ofPrograms.test(name) ? [] : [`${name}=${value}`],
  );
  return [...new Set([byRunners, ...found])].slice(0, most);
}
