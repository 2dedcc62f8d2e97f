// The values that the agent of a session asked for, as a form. A value is sent to the sandbox and is shown nowhere.
import { useState } from "preact/hooks";
import type { RequestedRow } from "../../operations/run-data/index.ts";
import { callOperation, refusalOf, type Refused } from "./api.ts";
import { Refusal, Section } from "./parts.tsx";

const Value = ({ asked }: { asked: RequestedRow }) => (
  <label>
    <span>
      <code>{asked.key}</code>
      {asked.required === false && <span class="quiet"> optional</span>}
    </span>
    {asked.description && <span class="quiet">{asked.description}</span>}
    {asked.type === "env" ? (
      <input name={asked.key} type="text" autocomplete="off" required={asked.required !== false} />
    ) : (
      <input name={asked.key} type="password" autocomplete="off" required={asked.required !== false} />
    )}
    {(asked.suggestions ?? []).map(({ label, instructions, value }) => (
      <span key={label} class="quiet">
        {label}
        {value !== undefined && (
          <>
            : <code>{value}</code>
          </>
        )}
        {instructions !== undefined && `: ${instructions}`}
      </span>
    ))}
  </label>
);

interface ValuesProps {
  readonly id: string;
  readonly requested: readonly RequestedRow[];
  done(): void;
}

export function RequestedValues({ id, requested, done }: ValuesProps) {
  const [refused, refuse] = useState<Refused | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const answer = async (input: object): Promise<void> => {
    setBusy(true);
    refuse(await refusalOf(() => callOperation("gateway answer", undefined, { sessionId: id, ...input })));
    setBusy(false);
    done();
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const values = requested
      .map(({ key }) => [key, String(form.get(key) ?? "")] as const)
      .filter(([, value]) => value !== "")
      .map(([key, value]) => `${key}=${value}`);
    void answer({ values, keep: form.get("keep:") === "on" });
  };
  return (
    <Section title="The agent waits for values">
      <form class="form" onSubmit={submit}>
        {requested.map((asked) => (
          <Value key={asked.key} asked={asked} />
        ))}
        <label class="line">
          <input type="checkbox" name="keep:" /> keep the secret ones for later sessions, encrypted
        </label>
        <Refusal refused={refused} />
        <p class="actions">
          <button class="primary" disabled={busy}>
            Give the values
          </button>
          <button type="button" disabled={busy} onClick={() => void answer({ decline: true })}>
            Give none
          </button>
        </p>
      </form>
    </Section>
  );
}
