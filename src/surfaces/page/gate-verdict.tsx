// The verdict beside the change: facts in one line each, the answer about planted mistakes, the verifier's sentence.
import type { FactTone, GateSummary, ResultSummary } from "../../core/machine/view/index.ts";
import type { ReadableGate } from "../../operations/run-data/index.ts";
import { one } from "./format.ts";
import { doubtTexts } from "./gate-doubts.ts";
import { Badge } from "./parts.tsx";

/** The heading of the card: the worst thing first. */
function headingOf(result: ResultSummary): readonly [FactTone, string] {
  if (result.facts.some(({ tone }) => tone === "bad")) return ["bad", "✘ Not proven: read why"];
  const doubts = doubtTexts(result).length;
  return doubts === 0 ? ["good", "✔ No doubts"] : ["warn", `⚠ ${one(doubts, "doubt")}: read first`];
}

/** Where a doubt stands, noticed mistakes are no good news: tests notice them in a table of their values too. */
function Noticed({ noticed, doubts }: Pick<ResultSummary, "noticed" | "doubts">) {
  const { answer, planted, noticed: found } = noticed;
  if (answer === "nothing") return <li class="plain">{noticed.text}</li>;
  const good = doubts.length > 0 ? "plain" : found < planted ? "warn" : "good";
  const tone = answer === "yes" ? good : answer === "unknown" ? "plain" : answer === "partly" ? "warn" : "bad";
  const text = planted === 0 ? "not measured" : `${found} of ${planted} planted mistakes noticed`;
  return (
    <li class={tone}>
      Would your tests notice a mistake in these lines? <b>{text}</b>
    </li>
  );
}

function Result({ result }: { result: ResultSummary }) {
  const [tone, heading] = headingOf(result);
  const verifier = result.reviews.find(({ role }) => role === "verifier");
  return (
    <>
      <h2 class={`verdict ${tone}`}>{heading}</h2>
      <ul class="fact-list">
        {result.facts.map((fact) => (
          <li key={fact.text} class={fact.tone}>
            {fact.text}
          </li>
        ))}
        <Noticed noticed={result.noticed} doubts={result.doubts} />
      </ul>
      {verifier && (
        <p class="sentence">
          “{verifier.sentence}” <span class="quiet">{verifier.agent}, verifier</span>
        </p>
      )}
    </>
  );
}

const isPlain = ({ sort, result }: GateSummary): boolean => sort !== "result" || result === null;

export function Verdict({ gate: { summary, risk } }: { gate: ReadableGate }) {
  if (summary?.result && !isPlain(summary)) return <Result result={summary.result} />;
  return (
    <h2 class="verdict">
      Your decision <Badge word={risk} text={`${risk} risk`} />
    </h2>
  );
}
