// The checks of a result, one row each: before the work, with it, with the old tests, and the planted mistakes it noticed.
import type { CheckCell, CheckRow, ReviewRow } from "../../core/machine/view/index.ts";
import { one } from "./format.ts";

const marks = {
  pass: ["✔", "passed", "good"],
  fail: ["✘", "failed", "bad"],
  unknown: ["?", "unknown", "warn"],
} as const;

export function Cell({ cell }: { cell: CheckCell | null }) {
  if (cell === null) return <span class="quiet">same</span>;
  const [sign, text, tone] = marks[cell.mark];
  return (
    <span class={tone} title={cell.tests === null ? text : `${text}, ${one(cell.tests, "test")}`}>
      <span aria-hidden="true">{sign}</span>
      <span class="hidden">{text}</span> {cell.tests ?? ""} {cell.note ?? ""}
    </span>
  );
}

function Mistakes({ mistakes }: Pick<CheckRow, "mistakes">) {
  if (mistakes === null) return <span class="quiet">none planted</span>;
  const { planted, noticed } = mistakes;
  return (
    <span class={noticed === 0 ? "bad" : noticed < planted ? "warn" : "good"}>
      {noticed} of {planted}
    </span>
  );
}

export const CheckTable = ({ checks }: { checks: readonly CheckRow[] }) => (
  <div class="scroll" tabIndex={0}>
    <table class="checks">
      <thead>
        <tr>
          <th scope="col">Check</th>
          <th scope="col">Before</th>
          <th scope="col">Now</th>
          <th scope="col">With the old tests</th>
          <th scope="col">Mistakes noticed</th>
        </tr>
      </thead>
      <tbody>
        {checks.map((check) => (
          <tr key={check.checkId}>
            <th scope="row">
              <code>{check.command}</code>
            </th>
            <td>
              <Cell cell={check.before} />
            </td>
            <td>
              <Cell cell={check.now} />
            </td>
            <td>
              <Cell cell={check.withOldTests} />
            </td>
            <td>
              <Mistakes mistakes={check.mistakes} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** One sentence for each reviewer; it proves nothing. */
export const Reviewers = ({ reviews }: { reviews: readonly ReviewRow[] }) => (
  <ul class="plain reviewers">
    {reviews.map(({ role, agent, approves, verdict, sentence }) => (
      <li key={role}>
        <span class={approves ? "good" : "bad"}>{approves ? "✔" : "✘"}</span> <b>{role}</b>{" "}
        <span class="quiet">
          {agent}: {verdict}
        </span>{" "}
        “{sentence}”
      </li>
    ))}
  </ul>
);
