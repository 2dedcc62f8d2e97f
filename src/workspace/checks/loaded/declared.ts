// Declarations beside JavaScript: a type check believes them and does not read the code. With the declaration left out it reads
// the code itself; where it then fails, the two contradict each other.
import type { Edit, TreeFiles } from "../tree.ts";

/** Changed declarations whose code is beside them. */
export const declaredBeside = (changed: readonly string[], paths: readonly string[]): string[] => {
  const known = new Set(paths);
  return changed.filter((path) => {
    const [, stem, kind] = /^(.+)\.d\.([cm]?)ts$/.exec(path) ?? [];
    return stem !== undefined && (known.has(`${stem}.${kind}js`) || known.has(`${stem}.${kind}jsx`));
  });
};

const opens = /"compilerOptions"\s*:\s*\{/;

/** The edits that let the compiler read JavaScript; none where no configuration is there to be edited. */
export async function readsCode(tree: TreeFiles): Promise<Edit[]> {
  const configs = tree.paths.filter((path) => /(?:^|\/)tsconfig(?:\.[\w-]+)?\.json$/.test(path)).slice(0, 20);
  const edits: Edit[] = [];
  for (const path of configs) {
    const text = (await tree.read(path)) ?? "";
    const open = opens.exec(text);
    if (!open) continue;
    const at = open.index + open[0].length;
    const plain = text.replace(/"(?:allowJs|checkJs|maxNodeModuleJsDepth)"\s*:\s*\w+\s*,?/g, "");
    const from = opens.exec(plain);
    if (from)
      edits.push({
        path,
        text: `${plain.slice(0, from.index + from[0].length)}"allowJs":true,"checkJs":false,${plain.slice(from.index + from[0].length)}`,
      });
    else edits.push({ path, text: `${text.slice(0, at)}"allowJs":true,${text.slice(at)}` });
  }
  return edits;
}
