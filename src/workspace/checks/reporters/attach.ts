// How a test runner is made to report: by words behind its command, or by variables that our reporter takes away again
// before any test runs. Pure.
import type { CommandRequest } from "../../../core/contract/index.ts";
import { runnersNamed } from "../log/count.ts";

type Argv = readonly [string, ...string[]];

export interface Attached {
  readonly argv: Argv;
  readonly env: NonNullable<CommandRequest["envAppended"]>;
}

/** Programs that replace the environment of their children, so that only a part of ours would arrive. */
const ownEnvironment = /\b(?:tox|nox|docker|podman|env -i)\b/;

/** Null where no runner of the command accepts our reporter. `script`: the resolved command line. */
export function attachReporter(argv: Argv, script: string, folder: string): Attached | null {
  const runners = runnersNamed(script);
  if (ownEnvironment.test(script)) return null;
  const words = behindScript(argv, script, folder);
  const env: Record<string, readonly [string, string]> = {};
  if (runners.includes("node") && !/--test-reporter\b|\bNODE_OPTIONS=/.test(script))
    env["NODE_OPTIONS"] = [" ", `--test-reporter=${folder}/node-test.cjs`];
  if (runners.includes("pytest") && !/\bPYTHONPATH=|\bPYTEST_ADDOPTS=/.test(script)) {
    env["PYTEST_ADDOPTS"] = [" ", "-p told_by_pytest"];
    env["PYTHONPATH"] = [":", folder];
  }
  const unittest = instead(argv);
  if (unittest) return { argv: unittest, env: { PYTHONPATH: [":", folder] } };
  return words.length === 0 && Object.keys(env).length === 0 ? null : { argv: [...argv, ...words], env };
}

/** unittest accepts no reporter: our own module runs it in the same way, with a result class that reports. */
function instead([program, flag, name, ...rest]: Argv): Argv | null {
  const plain = /(?:^|\/)python[\d.]*$/.test(program) && flag === "-m" && name === "unittest";
  return plain ? [program, flag, "told_by_unittest", ...rest] : null;
}

const reporterWords: Readonly<Record<string, (folder: string) => string[]>> = {
  vitest: (folder) => ["--reporter=verbose", `--reporter=${folder}/vitest.cjs`],
  jest: (folder) => ["--verbose", "--reporters=default", `--reporters=${folder}/jest.cjs`],
  mocha: (folder) => [`--reporter=${folder}/mocha.cjs`],
};

/** One plain command, which words behind it reach. */
const plain =
  /^(?:cross-env\s+)?(?:\w+=\S+\s+)*(?:npx\s+)?(vitest|jest|mocha)(?:\s+(?:[\w@./=*:-]+|'[^']*'|"[^"$`]*"))*$/;

/** Words behind a script reach its last command, so the script must be one command only. */
function behindScript(argv: Argv, script: string, folder: string): string[] {
  const [program, verb] = argv;
  const manager = /^(?:npm|pnpm|yarn|bun)$/.test(program) && verb === "run" && (argv.length === 3 || argv[3] === "--");
  const line = manager ? script.slice(argv.join(" ").length).trim() : argv.join(" ");
  const runner = plain.exec(line)?.[1];
  if (runner === undefined || /--(?:reporters?|json|silent|verbose)\b|\s-R\b/.test(line)) return [];
  const words = reporterWords[runner]?.(folder) ?? [];
  return program === "npm" && argv[3] !== "--" ? ["--", ...words] : words;
}

/** The runner was stopped by our reporter and not by the tree: it is too old for it, or does not see its folder. */
export const refusedReporter = (text: string, folder: string, reported: boolean): boolean =>
  /is not allowed in NODE_OPTIONS|Error importing plugin "told_by_pytest"|No module named '?told_(?:by_(?:pytest|unittest)|channel)/.test(
    text,
  ) ||
  (!reported && text.includes(`${folder}/`));
