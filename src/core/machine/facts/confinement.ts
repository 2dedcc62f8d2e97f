// The confinement of the work of a run, in words for its gates: from the runner that starts agents and checks (B-19).
import type { Run } from "../state/index.ts";

const words = {
  bubblewrap:
    "confinement: bubblewrap around every agent program and check; files of the checkout that hold logins are hidden from agents",
  none: "confinement: NONE. Agent programs and checks run with your own rights: they can read and write everything that you can. The next rung: install bubblewrap, or run all of this as another user or in a container",
} as const;

/** One line; none where the run was created before this was recorded. */
export function confinementLines({ inspection }: Run): string[] {
  return inspection?.confinement === undefined ? [] : [words[inspection.confinement]];
}
