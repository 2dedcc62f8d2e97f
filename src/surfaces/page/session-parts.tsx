// The parts of a session's page: messages, evidence as files and pictures, snapshots, the change, actions, the ledger.
import { useState } from "preact/hooks";
import type {
  SessionEventRow,
  ShownActions,
  ShownEvidence,
  ShownLedger,
  ShownSnapshots,
} from "../../operations/run-data/index.ts";
import { callOperation, refusalOf, type Refused, useOperation } from "./api.ts";
import { ago, count } from "./format.ts";
import { Badge, Refusal, Section, Waiting } from "./parts.tsx";

/** A call with its busy state and its refusal; `after` runs when it succeeded. */
function useCall(after: () => void) {
  const [refused, refuse] = useState<Refused | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const call = async (operation: string, input: object): Promise<boolean> => {
    setBusy(true);
    const why = await refusalOf(() => callOperation(operation, undefined, input));
    refuse(why);
    setBusy(false);
    if (!why) after();
    return !why;
  };
  return { refused, busy, call };
}

interface PartProps {
  readonly id: string;
  readonly running: boolean;
  again(): void;
}

export function Messages({ id, running, again, events }: PartProps & { events: readonly SessionEventRow[] }) {
  const { refused, busy, call } = useCall(again);
  const messages = events.filter(({ type }) => type === "message" || type === "error");
  const send = async (form: HTMLFormElement): Promise<void> => {
    const message = String(new FormData(form).get("message") ?? "");
    if (await call("gateway send", { sessionId: id, message })) form.reset();
  };
  return (
    <Section title="Messages">
      {messages.length === 0 && <p class="quiet">No messages yet.</p>}
      <ol class="messages">
        {messages.map(({ seq, type, data }) => (
          <li key={seq} class={type === "error" ? "error" : String(data["role"])}>
            <b>{type === "error" ? "error" : data["role"] === "user" ? "you" : "agent"}</b>
            <p>{String(data["text"] ?? data["message"] ?? "")}</p>
          </li>
        ))}
      </ol>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void send(event.currentTarget as HTMLFormElement);
        }}
      >
        <label>
          Message to the agent
          <textarea name="message" rows={3} required disabled={!running} />
        </label>
        <Refusal refused={refused} />
        <p class="actions">
          <button class="primary" disabled={busy || !running}>
            Send
          </button>
          {!running && <span class="quiet">The session does not run.</span>}
        </p>
      </form>
    </Section>
  );
}

function EvidenceFile({ id, reference, path }: { id: string; reference: string; path: string }) {
  const { data, refused } = useOperation<ShownEvidence>("gateway evidence", undefined, {
    sessionId: id,
    ref: reference,
  });
  const file = data?.file;
  if (refused) return <Refusal refused={refused} />;
  if (!file) return <Waiting />;
  const link = `data:${file.mediaType};base64,${file.base64}`;
  if (file.mediaType.startsWith("image/")) return <img class="picture" src={link} alt={path} />;
  if (file.mediaType !== "text/plain")
    return (
      <a href={`data:application/octet-stream;base64,${file.base64}`} download={path.split("/").at(-1)}>
        Save {path}
      </a>
    );
  const bytes = Uint8Array.from(atob(file.base64), (character) => character.charCodeAt(0));
  return <pre>{new TextDecoder().decode(bytes)}</pre>;
}

function Openable({ label, children }: { label: string; children: () => preact.JSX.Element }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{label}</summary>
      {open && children()}
    </details>
  );
}

export function Evidence({ id }: { id: string }) {
  const { data, refused } = useOperation<ShownEvidence>("gateway evidence", undefined, { sessionId: id });
  return (
    <Section title="Evidence">
      <Refusal refused={refused} />
      {data?.evidence.length === 0 && <p class="quiet">The agent has uploaded nothing yet.</p>}
      {data?.evidence.map(({ prefix, at, folder, files, left }) => (
        <div key={prefix}>
          <p class="quiet">
            {folder}, {ago(at)}
          </p>
          {files.map(({ path, ref, bytes }) => (
            <Openable key={path} label={`${path} (${count(bytes)} bytes)`}>
              {() => <EvidenceFile id={id} reference={ref} path={path} />}
            </Openable>
          ))}
          {left.map(({ path, why }) => (
            <p key={path} class="quiet">
              left out: {path}: {why}
            </p>
          ))}
        </div>
      ))}
    </Section>
  );
}

export function Snapshots({ id, running, again }: PartProps) {
  const listed = useOperation<ShownSnapshots>("gateway snapshots", undefined, { sessionId: id });
  const { refused, busy, call } = useCall(() => {
    listed.again();
    again();
  });
  return (
    <Section title="Snapshots">
      <Refusal refused={refused ?? listed.refused} />
      {listed.data?.snapshots.length === 0 && <p class="quiet">No snapshot yet.</p>}
      <ul class="plain">
        {listed.data?.snapshots.map(({ id: snapshot, message, createdAt, state, current }) => (
          <li key={snapshot}>
            <code class="id">{snapshot.slice(0, 16)}</code> {message || "without a message"}{" "}
            <span class="quiet">{ago(createdAt)}</span> {current && <Badge word="ok" text="current" />}
            {state === "ready" && (
              <button
                type="button"
                disabled={busy}
                onClick={() => void call("gateway snapshots", { sessionId: id, restore: snapshot })}
              >
                Restore
              </button>
            )}
          </li>
        ))}
      </ul>
      <p class="quiet">Restoring starts the session again. Its present state is saved as a snapshot first.</p>
      <p class="actions">
        <button
          type="button"
          disabled={busy || !running}
          onClick={() => void call("gateway snapshots", { sessionId: id, message: "saved on the page" })}
        >
          Save snapshot
        </button>
      </p>
    </Section>
  );
}

function Patch({ id }: { id: string }) {
  const { data, refused } = useOperation<{ patch: string }>("gateway diff", undefined, { sessionId: id });
  if (refused) return <Refusal refused={refused} />;
  if (!data) return <Waiting />;
  return data.patch === "" ? <p class="quiet">Nothing has changed.</p> : <pre>{data.patch}</pre>;
}

export const Change = ({ id }: { id: string }) => (
  <Section title="Change">
    <Openable label="The change of the workspace">{() => <Patch id={id} />}</Openable>
  </Section>
);

export function Ledger({ id }: { id: string }) {
  const { data, refused } = useOperation<ShownLedger>("gateway ledger", undefined, { sessionId: id });
  return (
    <Section title="Ledger">
      <Refusal refused={refused} />
      {data?.invocations.length === 0 && <p class="quiet">No tool was called yet.</p>}
      <ul class="plain">
        {data?.invocations.map(({ tool, callId, outcome, effects, result }) => (
          <li key={callId}>
            <b>{tool}</b> <Badge word={outcome === "succeeded" ? "ok" : outcome} text={outcome} />{" "}
            <span class="quiet">effects {effects}</span> <span>{result?.result.slice(0, 300)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function WaitingActions({ id, again }: Pick<PartProps, "id" | "again">) {
  const listed = useOperation<ShownActions>("gateway actions", undefined, { sessionId: id });
  const { refused, busy, call } = useCall(() => {
    listed.again();
    again();
  });
  const pending = listed.data?.pending ?? [];
  if (pending.length === 0) return null;
  return (
    <Section title="Actions that wait for you">
      <Refusal refused={refused} />
      <ul class="plain">
        {pending.map(({ id: action, integration, action: name, params }) => (
          <li key={action}>
            <b>
              {integration} {name}
            </b>{" "}
            <code>{JSON.stringify(params)}</code>{" "}
            {(["approve", "deny"] as const).map((answer) => (
              <button
                key={answer}
                type="button"
                disabled={busy}
                onClick={() => void call("gateway actions", { sessionId: id, [answer]: action })}
              >
                {answer === "approve" ? "Approve" : "Deny"}
              </button>
            ))}
          </li>
        ))}
      </ul>
    </Section>
  );
}
