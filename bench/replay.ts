// The cost of a replay on sample projects, beside the check itself: for checks of about a second at most one and a half times
// as long as the check, and a second for its processes.
import { replayCalls } from "../src/workspace/replay/index.ts";
import { judged } from "./lib/limit.ts";
import { costOf, eachSample, times } from "./lib/samples.ts";

await eachSample(async ({ name, place, baseTree, own }) => {
  const found = await costOf(() => replayCalls({ ...place, baseTree, tookMs: own.wallMs, tell: () => undefined }));
  const { same = 0, recorded = 0, neighbours = 0, stop, skipped } = found.result ?? {};
  const holds = found.wallMs <= 1.5 * own.wallMs + 1_000 && same > 0 && same === recorded && stop === undefined;
  console.log(
    `${name}: the check ${Math.round(own.wallMs)} ms; replay ${times(found, own)}, ${same} of ${recorded} calls the same, ${neighbours} neighbours${skipped === undefined ? "" : `, ${skipped}`}${judged("1.5 × and 1 s, all the same", holds)}`,
  );
});
