// The cost of the sabotage control on sample projects, beside the check itself: at most a minute, and at most five times as long
// as the check takes, or no more than the least number of trials. Each wrong value has to be noticed.
import { runCheck, sabotageControl } from "../src/workspace/checks/index.ts";
import { judged } from "./lib/limit.ts";
import { costOf, eachSample, times } from "./lib/samples.ts";

await eachSample(async ({ name, place, baseTree, own, ran }) => {
  const cost = await costOf(() =>
    sabotageControl({
      ...place,
      baseTree,
      asks: "both",
      hasRunner: ran.hasRunner,
      ran: { durationMs: own.wallMs, testsRun: ran.testsRun, ...(ran.tests ? { passed: ran.tests.passed } : {}) },
      onBase: () => runCheck({ ...place, tree: baseTree }),
      tell: () => undefined,
    }),
  );
  const { ran: tried, noticed, planned, budgetMs, spentMs, weakened } = cost.result;
  const holds = weakened === null && tried > 0 && noticed === tried && (spentMs <= budgetMs || tried <= 7);
  console.log(
    `${name}: the check ${Math.round(own.wallMs)} ms; control ${times(cost, own)}, ${noticed} of ${tried} sabotages noticed, ${planned} planned, time for it ${Math.round(budgetMs)} ms${judged("all noticed, in the time or within 7 trials", holds)}`,
  );
});
