// The folder that `--only-here` means, from the top of the repository.
import { fail } from "../../core/contract/index.ts";

const slashes = (path: string): string => path.replaceAll("\\", "/").replace(/\/+$/, "");

export function folderBelow(top: string, folder: string): string {
  const [above, here] = [`${slashes(top)}/`, slashes(folder)];
  if (!here.startsWith(above))
    fail(
      "invalid_input",
      "--only-here means the folder where you are, and that is not a folder inside the repository.",
      {
        remedy: "Go into a folder of it, or name paths: --allowed-path 'packages/a/**'.",
      },
    );
  const below = here.slice(above.length);
  if (/[*?[\]{}!]/.test(below))
    fail("invalid_input", `The name of the folder ${below} holds signs that mean something else in a pattern.`, {
      remedy: "Name the paths and the checks: --allowed-path … --check …",
    });
  return below;
}
