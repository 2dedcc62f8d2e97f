// A run whose log holds roles that no version would assign today.
import type { Recorded } from "../../src/core/contract/index.ts";
import { fold } from "../../src/core/machine/index.ts";
import type { Play } from "./play.ts";

/** The same log with other roles in its first event, as a program that did not look at them could have written it. */
export function withRoles(play: Play, roles: object): Play {
  const [first, ...rest] = play.log;
  if (first?.event.type !== "run_created") throw new Error("no creation");
  const altered: Recorded = {
    ...first,
    event: { ...first.event, roles: { ...first.event.roles, ...roles } },
  };
  const run = fold([altered, ...rest]);
  if (!run) throw new Error("no run");
  play.run = run;
  return play;
}
