// The browsers and phones that stay paired with the page, for a person.
import type { PairedDevice } from "../../../operations/context/index.ts";
import { safe } from "./list.ts";
import { renders } from "./view.ts";

const day = (at: number): string => new Date(at).toISOString().slice(0, 10);

export const devices = renders<{ readonly devices: readonly PairedDevice[]; readonly revoked: readonly string[] }>({
  print: ({ devices: all, revoked }, { io, style }) => {
    for (const id of revoked) io.out(`${style.green("✔")} ${id} is not paired any more.\n`);
    for (const { id, name, reach, lastSeen, until } of all)
      io.out(
        `${id}  ${safe(name)}${reach === "gates" ? " (runs and gates only)" : ""}  ${style.dim(`last used ${day(lastSeen)}, until ${day(until)}`)}\n`,
      );
    if (all.length === 0 && revoked.length === 0) io.out("No browser is paired. Open the page with: thehood web\n");
  },
});
