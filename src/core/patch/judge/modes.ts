// Links, submodules and modes, as far as the patch itself tells.
import type { Section } from "../model.ts";
import type { Findings } from "./finding.ts";

const link = "120000";
const gitlink = "160000";
const regular = new Set(["100644", "100755"]);

/** Content of a gitlink: what git shows in place of a submodule. */
const subproject = /^(?:[-+ ]Subproject commit [0-9a-f]{40}(?:-dirty)?\n|\\ [^\n]*\n)+$/;

export function judgeModes(section: Section, findings: Findings): void {
  const { oldMode, newMode, change, body } = section;
  const path = section.newPath ?? section.oldPath ?? "";
  const sub =
    body.kind === "hunks" && body.hunks.length > 0 && body.hunks.every((hunk) => subproject.test(hunk.body));
  if (oldMode === gitlink || newMode === gitlink || sub) {
    findings.add("submodule", `${path} is a submodule link`, path);
  } else if (newMode === link && oldMode !== link) {
    findings.add("symlink_create", `${path} would become a symbolic link`, path);
  } else if (oldMode === link && change === "copy") {
    findings.add("symlink_create", `${path} would be a copy of a symbolic link`, path);
  } else if (newMode === link || (oldMode === link && change !== "delete")) {
    findings.add("symlink_change", `${path} is a symbolic link and would be changed`, path);
  } else {
    const known = (mode: string | null) => mode === null || mode === link || regular.has(mode);
    if (!known(oldMode) || !known(newMode)) {
      findings.add(
        "mode_invalid",
        `${path} has a mode git does not use for files (${newMode ?? oldMode})`,
        path,
      );
    } else if (newMode !== null && newMode === oldMode && change !== "delete" && change !== "create") {
      findings.add("mode_invalid", `${path} changes its mode to the one it has`, path);
    }
  }
}
