// Project tools with arguments outside the project: other code, configuration or folders. The project's own code is judged
// with the change that wrote it; any other code needs approval.
import type { CommandCall } from "../call.ts";
import { anyOf, isLiteral, isOpen } from "../lexer/pattern.ts";
import { isOutside } from "../paths/path-class.ts";
import { devTools } from "./dev-tools.ts";
import { nodePackages } from "./node-packages.ts";
import { otherPackages } from "./other-packages.ts";
import { tableRows } from "./table.ts";

const interpretersOfProjects = ["ansible-playbook", "node", "python", "python3", "ruby", "php", "perl", "bash", "sh"];

/** Programs that run the project's own code, by name. */
const projectTools = new Set([
  ...[devTools, tableRows.tools, nodePackages, otherPackages, tableRows.packages].flatMap(Object.keys),
  ...interpretersOfProjects,
]);

const codeOptions = anyOf(String.raw`
  toolexec exec vettool overlay load load-plugin wrapper rustc-wrapper shell exec-prefix test-shell
  native-tests-runner init-hook load-plugins node-arguments node-args node-options python-executable
  run_under workspace_status_command javaagent agentlib agentpath processor
`);
/** Options whose value is a program or code that runs immediately. */
const runsAtOnce = new RegExp(
  String.raw`^--?(${codeOptions})(=|:|$)|^-J-|^(-C)?linker=|codegen-backend|(^|[=\s'"])-extld=`,
);
/** Options that load a module by its name; the origin of the module is unknown. */
const loadsByName: Readonly<Record<string, RegExp>> = {
  pytest: /^(-p(?!(no:|\s*no:))|--pyargs$)/,
  "py.test": /^(-p(?!(no:|\s*no:))|--pyargs$)/,
};
/** Settings on the command line can name programs. */
const takesSettings: Readonly<Record<string, RegExp>> = { cargo: /^--config(=|$)/ };
/** Options whose value is a file of settings or code. */
const takesCode = /^(-c|--config|--config-file|--rcfile|--file|--makefile|--init-script)$/;
const fromElsewhere = /^(data|https?|file|git\+\w+|ssh):/i;

/** `//app:tests` names a target inside the project, never a path. */
const hasLabels = new Set(["bazel", "bazelisk", "buck", "buck2", "pants", "please"]);
const isLabel = (name: string, text: string) => hasLabels.has(name) && /^-?\/\/[\w.:/@+-]*$/.test(text);

const isPathAway = (text: string) => /^(\/|~(\/|$)|\.\.(\/|$))/.test(text) || /\/\.\.(\/|$)/.test(text);

/** The parts of an argument that may be a path: the argument, the value after `=`, the value joined to a short option. */
function* partsOf(text: string): Generator<string> {
  if (!text.startsWith("-")) yield text;
  for (let equals = text.indexOf("="); equals > 0; equals = text.indexOf("=", equals + 1)) yield text.slice(equals + 1);
  if (text.startsWith("@")) yield text.slice(1);
  const glued = /^-[A-Za-z](?=[/~.])(.+)$/s.exec(text)?.[1];
  if (glued !== undefined) yield glued;
}

/** These load the project's configuration and plugins even when they only read. */
export const alwaysRunsCode = (name: string): boolean =>
  Object.hasOwn(devTools, name) || Object.hasOwn(tableRows.tools, name);

/** Tools that packages bring into a project. */
export const runsProjectCode = (name: string): boolean =>
  alwaysRunsCode(name) ||
  /^(tsx|ts-node|nx|turbo|lerna|rimraf|concurrently|npm-run-all|run-s|run-p|cross-env)$/.test(name);

/** `isAway`: whether a path is outside the workspace. */
export function judgeForeign(call: CommandCall, name: string, isAway: (path: string) => boolean): void {
  if (!projectTools.has(name)) return;
  if (call.cwd.kind === "unknown" || isOutside(call.cwd, call.where))
    call.report("unknown", `${name} runs code of a folder that is not the project`);
  call.args.forEach((arg, at) => {
    const { text } = arg;
    if (runsAtOnce.test(text)) call.report("unknown", `${name} ${text.split("=")[0]} runs given code`, arg);
    if (takesSettings[name]?.test(text))
      call.report("unknown", `${name} ${text.split("=")[0]} can name a program to run`, arg);
    if (/^--basetemp(=|$)/.test(text))
      call.report("destructive", `${name} --basetemp empties the folder it is given`, arg);
    if (isOpen(text) && takesCode.test(call.args[at - 1]?.text ?? ""))
      call.report("unknown", `${name} is given code that is only known when it runs`, arg);
    const module = loadsByName[name];
    if (module?.test(text) && !(text === "-p" && call.args[at + 1]?.text.startsWith("no:")))
      call.report("unknown", `${name} ${text} loads a module by its name`, arg);
    for (const part of partsOf(text)) {
      if (!isLiteral(part) || isLabel(name, part)) continue;
      if (fromElsewhere.test(part)) call.report("unknown", `${name} is given code from elsewhere`, arg);
      else if (isPathAway(part) && (isAway(part) || /^\/dev\/(stdin|fd\/)/.test(part)))
        call.report("unknown", `${name} is pointed at a place outside the project`, arg);
    }
  });
}
