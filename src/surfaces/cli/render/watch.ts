// A run as it is watched: a line for each event, and a moving line, or a note, about what holds it up.
import { plainLine } from "../../../core/contract/index.ts";
import type { Watched } from "../../../operations/run-data/index.ts";
import { describeActivity } from "../../../operations/text/index.ts";
import { createStyle } from "../../argv/index.ts";
import { eventLine } from "./lines.ts";
import { lasting } from "../../terminal/print/index.ts";
import { movingLine } from "./progress.ts";
import { renders } from "./view.ts";

export const watch = renders<AsyncIterable<Watched>>({
  async print(events, { io, style, spell, json, quiet, verbose }) {
    using moving = movingLine(io, createStyle(io.color && io.live));
    let printed = "";
    let done = "";
    for await (const { stored, now } of events) {
      const line = stored === null ? null : json ? JSON.stringify(stored) : eventLine(stored, style, verbose);
      moving.clear();
      if (line !== null) io.out(`${line}\n`);
      if (quiet || !now) continue;
      const [work] = now.activities;
      if (stored === null && now.held === null) {
        const words = now.activities.map((one) => describeActivity(one, Date.now())).join("; ");
        if (io.live) moving.say(plainLine(words, 400), work?.since);
        const lines = now.activities.map(({ who, does, says }) =>
          plainLine(`${who}: ${(does ?? says)?.text ?? ""}`, 300),
        );
        if (!io.live && !json && lines.join() !== done) io.err(lines.map((one) => `  ${one}\n`).join(""));
        done = lines.join();
        continue;
      }
      const held = now.held ? `${now.held.why} → ${spell(now.held.next)}` : "";
      const limit = now.limitMs === null ? "" : `, at most ${lasting(now.limitMs)}`;
      if (io.live && stored !== null) moving.say(held || `${now.doing}${limit}`, now.since);
      else if (held !== "" && held !== printed) io.err(`· ${held}\n`);
      printed = held;
    }
  },
});
