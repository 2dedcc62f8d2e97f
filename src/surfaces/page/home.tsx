// The home: runs that wait for the user first, then current work, then ended runs.
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { Home, HomeGroup, HomeRow } from "../../operations/run-data/index.ts";
import { gatesOnly, live, useOperation } from "./api.ts";
import { count, endState, folderName, now, one, span, words } from "./format.ts";
import { Badge, Refusal, Waiting } from "./parts.tsx";
import { go, link, route } from "./route.ts";
import { SessionList } from "./session.tsx";

const home = signal<Home | undefined>(undefined);

const titles: Readonly<Record<HomeGroup, string>> = {
  waits: "Needs you",
  works: "Working",
  stopped: "Stopped",
  ended: "Ended",
};

const target = ({ group, repo, runId }: HomeRow): string =>
  link(group === "waits" ? "gate" : "run", { repo, id: runId });

function When({ row }: { row: HomeRow }) {
  const age = span(now.value - row.since);
  if (row.group === "works") return <>{age}</>;
  const since = age.replace(/ \d+ s$/, "");
  return row.group === "waits" ? <>waits {since}</> : <>{now.value - row.since < 5_000 ? "now" : `${since} ago`}</>;
}

const Row = ({ row, several }: { row: HomeRow; several: boolean }) => (
  <li class={`run ${row.group}`}>
    <a href={target(row)}>
      <span class="goal">{row.goal}</span>
      <span class="why">{[row.why || words(row.stopReason ?? row.state), ...row.numbers].join(" · ")}</span>
      <span class="meta">
        {row.risk && row.group === "waits" ? (
          <Badge word={row.risk} text={`${row.risk} risk`} />
        ) : (
          <Badge word={row.group === "works" ? "works" : endState(row)} />
        )}
        <span class="when" title={new Date(row.since).toLocaleString()}>
          <When row={row} />
        </span>
        <span class="repo">{several ? folderName(row.repo) : ""}</span>
        <code class="id">{row.runId.slice(0, 12)}</code>
      </span>
    </a>
  </li>
);

function Group({ group, rows, several }: { group: HomeGroup; rows: readonly HomeRow[]; several: boolean }) {
  if (rows.length === 0) return null;
  return (
    <section class={`group ${group}`}>
      <h2>
        {titles[group]} <span class="number">{count(rows.length)}</span>
      </h2>
      <ul class="runs">
        {rows.map((row) => (
          <Row key={row.runId} row={row} several={several} />
        ))}
      </ul>
    </section>
  );
}

const groups = Object.keys(titles) as HomeGroup[];

/** The stream gives the newest rows; a search or a longer list is a separate request. */
function useHome(
  search: string,
  group: string,
  limit: number,
): { shown: Home | undefined; refused: ReturnType<typeof useOperation>["refused"] } {
  useEffect(
    () =>
      live<{ home: Home }>(
        () => "/api/live",
        (message) => (home.value = message.home),
      ),
    [],
  );
  const asks = search !== "" || group !== "" || limit > 50;
  const wanted = { search, limit, ...(group === "" ? {} : { group }) };
  const asked = useOperation<Home>("home", undefined, asks ? wanted : { limit: 1 });
  useEffect(() => asked.again(), [home.value]);
  return asks ? { shown: asked.data ?? undefined, refused: asked.refused } : { shown: home.value, refused: undefined };
}

export function HomeView() {
  const { q = "", only = "", n = "50" } = route.value.of;
  const [search, setSearch] = useState(q);
  const { shown, refused } = useHome(q, only, Number(n) || 50);
  // Read at the time it is set, so a choice that the user made meanwhile stays.
  const set = (of: Record<string, string | undefined>) =>
    go(link("home", { ...route.value.of, ...of }), { replace: true });
  useEffect(() => {
    const late = setTimeout(() => search !== q && set({ q: search }), 200);
    return () => clearTimeout(late);
  }, [search]);
  const rows = (shown?.rows ?? []).filter(({ group }) => only === "" || group === only);
  const several = (shown?.repos.length ?? 0) > 1;
  return (
    <main id="main">
      <div class="toolbar">
        <h1>Runs</h1>
        <input
          type="search"
          aria-label="Search runs"
          placeholder="Search goals, ids, folders"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
        <select aria-label="Show" value={only} onChange={(event) => set({ only: event.currentTarget.value })}>
          <option value="">All</option>
          {groups.map((group) => (
            <option key={group} value={group}>
              {titles[group]}
            </option>
          ))}
        </select>
        {!gatesOnly.value && (
          <a class="button primary" href={link("start")}>
            Start a run
          </a>
        )}
      </div>
      <Refusal refused={refused} />
      {shown?.repos
        .filter(({ problem }) => problem !== null)
        .map(({ repo, problem }) => (
          <Refusal key={repo} refused={{ code: "", message: folderName(repo), remedy: problem }} />
        ))}
      {!shown && !refused && <Waiting />}
      {shown && rows.length === 0 && shown.sessions.length === 0 && <Empty searched={q !== "" || only !== ""} />}
      {groups.map((group) => (
        <Group key={group} group={group} several={several} rows={rows.filter((row) => row.group === group)} />
      ))}
      {only === "" && <SessionList sessions={shown?.sessions ?? []} />}
      {shown && shown.more > 0 && (
        <p class="more">
          <button type="button" onClick={() => set({ n: String((Number(n) || 50) * 10) })}>
            Show more ({one(shown.more, "run")} not shown)
          </button>
        </p>
      )}
      {!gatesOnly.value && (
        <p class="more">
          <a href={link("devices")}>Paired devices</a>
        </p>
      )}
    </main>
  );
}

const Empty = ({ searched }: { searched: boolean }) => (
  <div class="empty">
    {searched ? (
      <p>No run is like that.</p>
    ) : (
      <>
        <p>No runs yet.</p>
        <p>
          <a href={link("start")}>Start one here</a>, or type <code>thehood run "what you want done"</code> in a
          repository.
        </p>
      </>
    )}
  </div>
);
