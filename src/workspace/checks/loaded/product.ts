// Files that are called tests, fixtures or documentation, and that the product itself loads: a plain process imports the changed
// modules, outside of any test, and what it reads then belongs to the product.
import type { CheckSpec } from "../../../core/contract/index.ts";
import { languageOf } from "../sabotage/language.ts";
import { type CheckRun, runCheck } from "../run/run-check.ts";

const mostModules = 40;
const importMs = 20_000;

const inJavaScript = `
const paths = JSON.parse(process.argv[1]);
setTimeout(() => process.exit(0), ${importMs - 5_000});
for (const path of paths) await import(new URL(path, \`file://\${process.cwd()}/\`).href).catch(() => undefined);
process.exit(0);
`;

const inPython = `
import importlib.util, json, os, sys
sys.path[:0] = [os.getcwd(), os.path.join(os.getcwd(), "src")]
for path in json.loads(sys.argv[1]):
    name = path[:-3].replace("/", ".")
    for one in (name, name[4:] if name.startswith("src.") else name):
        try:
            __import__(one[: -len(".__init__")] if one.endswith(".__init__") else one)
            break
        except BaseException:
            pass
`;

/** The command that imports these modules and does nothing else; undefined where none of them can be imported like that. */
function commandFor(paths: readonly string[]): CheckSpec["argv"][] {
  const of = (language: string) => paths.filter((path) => languageOf(path) === language).slice(0, mostModules);
  const [scripts, modules] = [of("js"), of("python")];
  return [
    ...(scripts.length > 0
      ? [["node", "--input-type=module", "-e", inJavaScript, JSON.stringify(scripts)] as CheckSpec["argv"]]
      : []),
    ...(modules.length > 0 ? [["python3", "-c", inPython, JSON.stringify(modules)] as CheckSpec["argv"]] : []),
  ];
}

/** Those of the watched files that a plain process reads when it imports the modules. */
export async function readByImport(
  run: CheckRun,
  modules: readonly string[],
  watched: readonly string[],
): Promise<string[]> {
  const found = new Set<string>();
  if (watched.length === 0) return [];
  for (const argv of commandFor(modules)) {
    const spec: CheckSpec = { ...run.spec, id: "import", kind: "other", argv, cwd: "", files: [], timeoutMs: importMs };
    const { read } = await runCheck({ ...run, spec, watched });
    for (const path of read ?? []) found.add(path);
  }
  return [...found];
}
