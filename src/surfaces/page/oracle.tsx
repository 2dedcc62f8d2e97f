// The sessions of `oracle`: the list, and one with its answer.
import type { ListedSessions, ShownSession } from "../../operations/oracle/index.ts";
import { ago } from "./format.ts";
import { useOperation } from "./api.ts";
import { Markdown } from "./markdown.tsx";
import { Badge, Fact, Refusal, Section, Waiting } from "./parts.tsx";
import { link, route } from "./route.ts";

function One({ id }: { id: string }) {
  const { data, refused } = useOperation<ShownSession>("oracle session", undefined, { id });
  if (!data) return refused ? <Refusal refused={refused} /> : <Waiting />;
  const { record } = data.view;
  const answer = data.outcome?.answer ?? null;
  return (
    <Section title={id} aside={<Badge word={record.status} />}>
      <dl class="facts">
        {Object.entries(record)
          .filter(([, value]) => typeof value === "string" || typeof value === "number")
          .slice(0, 12)
          .map(([name, value]) => (
            <Fact key={name} name={name}>
              {String(value)}
            </Fact>
          ))}
      </dl>
      {answer !== null && <Markdown text={answer} />}
    </Section>
  );
}

export function OracleView() {
  const { id } = route.value.of;
  const { data, refused } = useOperation<ListedSessions>("oracle status", undefined, { limit: 100 });
  return (
    <main id="main">
      <nav class="crumbs" aria-label="Where">
        <a href={link("home")}>Runs</a>
        <span>Oracle</span>
      </nav>
      <h1>Oracle sessions</h1>
      <Refusal refused={refused} />
      {!data && !refused && <Waiting />}
      {data?.total === 0 && (
        <div class="empty">
          <p>No sessions yet.</p>
          <p>
            <code>oracle -p "a question" -f src/</code> in a terminal makes one.
          </p>
        </div>
      )}
      {id && <One id={id} />}
      {data && data.total > 0 && (
        <ul class="runs">
          {data.listed.map((session) => (
            <li key={session.id} class="run">
              <a href={link("oracle", { id: session.id })}>
                <span class="goal">{session.id}</span>
                {session.problem && <span class="why">{session.problem}</span>}
                {session.view && (
                  <span class="meta">
                    <Badge word={session.view.record.status} />{" "}
                    <span class="when">{ago(Date.parse(session.view.record.createdAt))}</span>
                  </span>
                )}
              </a>
            </li>
          ))}
        </ul>
      )}
    </main>
  );
}
