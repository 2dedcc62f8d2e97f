// The sheet of a gate: what a person must see before an approval first, everything else that it covers one click away.
import type { StartSummary } from "../../core/machine/view/index.ts";
import type { ReadableGate, GateDetailsView } from "../../operations/run-data/index.ts";
import { Cell, CheckTable, Reviewers } from "./check-table.tsx";
import { span } from "./format.ts";
import { Asked, Commands, Covered, Failing, Findings, ForPrograms, Part, ReviewLanes, Seen } from "./gate-parts.tsx";
import { doubtTexts } from "./gate-doubts.ts";
import { Inline } from "./markdown.tsx";
import { Fact, Section } from "./parts.tsx";
import type { SeenParts } from "./seen.ts";

export interface SheetProps {
  readonly sheet: GateDetailsView;
  readonly gate: ReadableGate;
  readonly seen: SeenParts;
  comment(path: string, line: string, text: string): void;
}

function Doubts({ texts, title, seen }: { texts: readonly string[]; title: string; seen: SeenParts }) {
  if (texts.length === 0) return null;
  return (
    <section class="doubts-box">
      <Seen seen={seen}>
        <h2>{title}</h2>
        <ul>
          {texts.map((text) => (
            <li key={text} class={text.startsWith("`") ? "code-first" : undefined}>
              <Inline text={text} />
            </li>
          ))}
        </ul>
      </Seen>
    </section>
  );
}

export function ResultSheet({ sheet, gate, seen, comment }: SheetProps) {
  const result = gate.summary?.result;
  if (!result) return <OtherSheet sheet={sheet} gate={gate} seen={seen} comment={comment} />;
  const changes = gate.parts.filter(({ kind }) => kind === "diff");
  return (
    <>
      <Doubts title="What the runtime doubts" texts={doubtTexts(result)} seen={seen} />
      {sheet.attempts.length > 0 && (
        <Section title="Attempts at this goal, by facts">
          <Seen seen={seen}>
            <pre>{sheet.attempts.join("\n")}</pre>
          </Seen>
        </Section>
      )}
      {changes.map((part) => (
        <Part key={part.ref} part={part} seen={seen} comment={comment} needsYes={result.needsYes} />
      ))}
      <Doubts title="Other runs change the same files" texts={sheet.meets} seen={seen} />
      <Failing failing={sheet.failing} />
      <Section title="Checks">
        {result.checks.length === 0 ? <p>The project has no checks.</p> : <CheckTable checks={result.checks} />}
      </Section>
      {result.reviews.length > 0 && (
        <Section title="Reviewers">
          <Reviewers reviews={result.reviews} />
        </Section>
      )}
      <Covered sheet={sheet} gate={gate} />
      <ForPrograms sheet={sheet} gate={gate} />
    </>
  );
}

function usualText(usual: GateDetailsView["usual"]): string {
  if (!usual) return "";
  const { unit, low, high, runs, last, estimated } = usual;
  const amount = (one: number) => (unit === "usd" ? `$${one.toFixed(2)}` : `${one.toLocaleString("en-US")} tokens`);
  return `usually ${estimated ? "about " : ""}${amount(low)} to ${amount(high)} (last of ${runs} runs here: ${amount(last)}); `;
}

const lines = (texts: readonly string[]) => texts.map((text) => <div key={text}>{text}</div>);

function Start({ start, usual }: { start: StartSummary; usual: GateDetailsView["usual"] }) {
  const { works, verifies, checks, sends, limit, crew, from, criteria } = start;
  return (
    <dl class="rows-list">
      {from.length > 0 && <Fact name="From">{lines(from)}</Fact>}
      {criteria.length > 0 && <Fact name="Done when">{lines(criteria)}</Fact>}
      <Fact name="Works">
        <b>{works.agent}</b> {works.where}
      </Fact>
      <Fact name="Verifies">{verifies === null ? "no agent" : <b>{verifies}</b>}</Fact>
      <Fact name="Checks">
        {checks.length === 0
          ? "none in this project"
          : checks.map(({ command, cell, ms }) => (
              <span key={command} class="check-now">
                <code>{command}</code> <Cell cell={cell} /> <span class="quiet">{ms === null ? "" : span(ms)}</span>
              </span>
            ))}
      </Fact>
      <Fact name="Sends">{sends}</Fact>
      <Fact name="Costs">
        {usualText(usual)}
        {limit}
      </Fact>
      <Fact name="Crew">{crew.map(({ role, agent }) => `${role} ${agent}`).join(", ")}</Fact>
    </dl>
  );
}

export function StartSheet({ sheet, gate, seen, comment }: SheetProps) {
  const start = gate.summary?.start;
  if (!start) return <OtherSheet sheet={sheet} gate={gate} seen={seen} comment={comment} />;
  const plans = gate.parts.filter((part) => part.kind === "diff" || part.of === "plan");
  return (
    <>
      <Doubts title="Know before you start" texts={start.warnings} seen={seen} />
      <Section title="What happens">
        <Seen seen={seen}>
          <Start start={start} usual={sheet.usual} />
        </Seen>
      </Section>
      {plans.map((part) => (
        <Part key={part.ref} part={part} seen={seen} comment={comment} />
      ))}
      {plans.length === 0 && (
        <Section title="Plan">
          <p>
            {start.plan ??
              "There is no plan yet: the agent plans and works on its own; you see plan and result together."}
          </p>
        </Section>
      )}
      <Covered sheet={sheet} gate={gate} />
      <ForPrograms sheet={sheet} gate={gate} />
    </>
  );
}

/** Any other question: everything that it covers is shown, and must be seen. */
export function OtherSheet({ sheet, gate, seen, comment }: SheetProps) {
  return (
    <>
      <Seen seen={seen}>
        <Asked gate={gate} goal={sheet.goal} />
        <Failing failing={sheet.failing} />
        <Findings findings={sheet.findings} />
      </Seen>
      {gate.parts.map((part) => (
        <Part key={part.ref} part={part} seen={seen} comment={comment} />
      ))}
      <Commands commands={sheet.commands} />
      <ReviewLanes lanes={sheet.lanes} />
      <ForPrograms sheet={sheet} gate={gate} />
    </>
  );
}
