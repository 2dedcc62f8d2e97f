// One session of the gateway: its status, its parts and its events.
import { useEffect } from "preact/hooks";
import type { SessionEventRow, SessionRow, ShownSandboxSession } from "../../operations/run-data/index.ts";
import { ago } from "./format.ts";
import { useOperation } from "./api.ts";
import { Badge, Fact, Refusal, Section, Waiting } from "./parts.tsx";
import { link, route } from "./route.ts";
import { Change, Evidence, Ledger, Messages, Snapshots, WaitingActions } from "./session-parts.tsx";
import { RequestedValues } from "./session-values.tsx";

const againMs = 2_000;

/** The most important text of an event. */
function wordsOf({ data }: SessionEventRow): string {
  const { role, text, tool, status, message, result } = data;
  const said = [role, tool, status, message, text, result].filter((part) => typeof part === "string");
  return said.join(": ");
}

const Event = ({ event }: { event: SessionEventRow }) => (
  <tr>
    <td title={new Date(event.at).toLocaleString()}>{event.seq}</td>
    <td>{event.type}</td>
    <td>
      {wordsOf(event)}
      {event.type === "tool_start" && <code> {JSON.stringify(event.data["args"] ?? {})}</code>}
    </td>
  </tr>
);

const Facts = ({ session }: { session: SessionRow }) => (
  <dl class="facts">
    <Fact name="kind">{session.kind}</Fact>
    <Fact name="model">{session.model}</Fact>
    <Fact name="made">{ago(session.createdAt)}</Fact>
    <Fact name="changed">{ago(session.updatedAt)}</Fact>
    {session.error !== null && <Fact name="error">{session.error}</Fact>}
  </dl>
);

export function SessionPage() {
  const { id = "" } = route.value.of;
  const { data, refused, again } = useOperation<ShownSandboxSession>("gateway session", undefined, {
    sessionId: id,
  });
  const active = data?.session.status === "running" || data?.session.status === "starting";
  useEffect(() => {
    if (!active) return undefined;
    const timer = setInterval(again, againMs);
    return () => clearInterval(timer);
  }, [active, id]);
  return (
    <main id="main">
      <nav class="crumbs" aria-label="Where">
        <a href={link("home")}>Runs</a>
        <span>Session</span>
      </nav>
      <h1>{data?.session.title ?? id}</h1>
      <Refusal refused={refused} />
      {!data && !refused && <Waiting />}
      {data && <SessionParts data={data} again={again} />}
    </main>
  );
}

/** Evidence, ledger and actions are read again when a tool ended or an action waits. */
const mark = (events: readonly SessionEventRow[]): number =>
  events.findLast(({ type }) => type === "tool_end" || type === "action" || type === "status")?.seq ?? 0;

function SessionParts({ data, again }: { data: ShownSandboxSession; again(): void }) {
  const { session, events } = data;
  const { id, requested = [] } = session;
  const running = session.status === "running";
  const part = { id, running, again };
  const moved = mark(events);
  return (
    <>
      <Section title={id} aside={<Badge word={session.status} />}>
        <Facts session={session} />
      </Section>
      {requested.length > 0 && <RequestedValues id={id} requested={requested} done={again} />}
      <WaitingActions key={`actions ${moved}`} id={id} again={again} />
      <Messages {...part} events={events} />
      <Evidence key={`evidence ${moved}`} id={id} />
      <Snapshots key={`snapshots ${moved}`} {...part} />
      <Change id={id} />
      <Ledger key={`ledger ${moved}`} id={id} />
      <Section title="Events">
        <table class="events">
          <thead>
            <tr>
              <th scope="col">#</th>
              <th scope="col">event</th>
              <th scope="col">words</th>
            </tr>
          </thead>
          <tbody>
            {events.map((event) => (
              <Event key={event.seq} event={event} />
            ))}
          </tbody>
        </table>
      </Section>
    </>
  );
}

/** The sessions of the gateway in the home, beside the runs. */
export function SessionList({ sessions }: { sessions: readonly SessionRow[] }) {
  if (sessions.length === 0) return null;
  return (
    <section class="group sessions">
      <h2>
        Sessions of the gateway <span class="number">{sessions.length}</span>
      </h2>
      <ul class="runs">
        {sessions.map((session) => (
          <li key={session.id} class="run">
            <a href={link("session", { id: session.id })}>
              <span class="goal">{session.title}</span>
              <span class="why">
                {session.requested?.length
                  ? `waits for values: ${session.requested.map(({ key }) => key).join(", ")}`
                  : (session.error ?? `${session.kind} session`)}
              </span>
              <span class="meta">
                <Badge word={session.requested?.length ? "waits" : session.status} />
                <span class="when" title={new Date(session.updatedAt).toLocaleString()}>
                  {ago(session.updatedAt)}
                </span>
                <code class="id">{session.id.slice(0, 16)}</code>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
