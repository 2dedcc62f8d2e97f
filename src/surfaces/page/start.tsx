// Starts a run: the goal, the crew, the budget, and the destinations of data before anything is sent.
import { useState } from "preact/hooks";
import type { AccessReport, Team } from "../../core/contract/setup/index.ts";
import type { Home, RunStory } from "../../operations/run-data/index.ts";
import { callOperation, refusalOf, type Refused, useOperation } from "./api.ts";
import { folderName, words } from "./format.ts";
import { Badge, Refusal, Section, Waiting } from "./parts.tsx";
import { go, link, route } from "./route.ts";

function Preview({ repo, team }: { repo: string | undefined; team: Team | undefined }) {
  const { data, refused } = useOperation<AccessReport>("access", repo, { roles: team?.roles ?? {} });
  if (refused) return <Refusal refused={refused} />;
  if (!data) return <Waiting text="Looking where data would go" />;
  const noAgent = data.destinations.length === 0;
  return (
    <Section
      title="Where data would go"
      aside={
        <Badge
          word={data.dataLeaves || noAgent ? "ask" : "ok"}
          text={noAgent ? "no agent" : data.dataLeaves ? "leaves this machine" : "stays on this machine"}
        />
      }
    >
      <ul class="plain">
        {data.destinations.map((one) => (
          <li key={one.role}>
            <b>{one.label}</b> <code>{one.assignment}</code>{" "}
            <Badge word={one.boundary === "external" ? "ask" : "plain"} text={one.boundary} />{" "}
            <span class="quiet">{one.crosses}</span>
          </li>
        ))}
      </ul>
      <p class="quiet">{data.approval}</p>
      {data.allowed.length > 0 && (
        <p class="quiet">
          You allowed:{" "}
          {data.allowed.map(({ provider, place, since }) => `${provider} (${place}, ${since.slice(0, 10)})`).join(", ")}
        </p>
      )}
      {noAgent && <p>Choose a crew above; “stub” plays a run without any model.</p>}
      <p class="quiet">{data.cost}</p>
    </Section>
  );
}

const modes = ["implement", "plan", "research", "review"] as const;
const approvals = ["manual", "auto_low_risk", "autopilot"] as const;
const number = (text: FormDataEntryValue | null): number | undefined => (text ? Number(text) : undefined);

/** The input of the run from the form. */
const inputOf = (form: FormData, team: string): object => ({
  goal: form.get("goal"),
  mode: form.get("mode"),
  approvals: form.get("approvals") || undefined,
  team: team || undefined,
  maxTokens: number(form.get("tokens")),
  maxMinutes: number(form.get("minutes")),
});

interface ChoiceProps<Chosen> {
  readonly chosen: Chosen;
  choose(chosen: string): void;
}

const RepositoryChoice = ({ repos, chosen, choose }: ChoiceProps<string | undefined> & Pick<Home, "repos">) => (
  <label>
    Repository
    <select value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
      {repos.map((one) => (
        <option key={one.repo} value={one.repo}>
          {folderName(one.repo)}
        </option>
      ))}
    </select>
  </label>
);

const CrewChoice = ({ teams, chosen, choose }: ChoiceProps<string> & { teams: readonly Team[] }) => (
  <label>
    Crew
    <select value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
      <option value="">as configured</option>
      {teams.map((one) => (
        <option key={one.name} value={one.name} disabled={!one.available}>
          {one.name}
          {one.available ? "" : " (not available)"}
        </option>
      ))}
    </select>
  </label>
);

const ApprovalsChoice = () => (
  <label>
    What may pass without you
    <select name="approvals">
      <option value="">as configured</option>
      {approvals.map((mode) => (
        <option key={mode} value={mode}>
          {words(mode)}
        </option>
      ))}
    </select>
  </label>
);

const Before = ({ story }: { story: RunStory }) => (
  <p class="quiet">
    It continues “{story.view.goal}”, <a href={link("run", { repo: story.repo, id: story.runId })}>run {story.runId}</a>
    . The work of that run is the base, and the agents get its report.
  </p>
);

export function StartView() {
  const { after, repo } = route.value.of;
  return after ? <FollowUp repo={repo} after={after} /> : <StartForm />;
}

function FollowUp({ repo, after }: { repo: string | undefined; after: string }) {
  const { data, refused } = useOperation<RunStory>("timeline", repo, { runId: after });
  if (data) return <StartForm before={data} />;
  return <main id="main">{refused ? <Refusal refused={refused} /> : <Waiting />}</main>;
}

function StartForm({ before }: { before?: RunStory }) {
  const { data: home } = useOperation<Home>("home", undefined, { limit: 1 });
  const [repo, setRepo] = useState<string | undefined>(before?.repo);
  const at = repo ?? home?.repos[0]?.repo;
  const teams = useOperation<readonly Team[]>("teams", at, {});
  const [team, setTeam] = useState("");
  const [refused, refuse] = useState<Refused | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const begin = async (input: object): Promise<void> => {
    setBusy(true);
    const asked = async () => {
      const { runId } = await callOperation<{ runId: string }>("run", at, input);
      go(link("run", { repo: at, id: runId }));
    };
    refuse(await refusalOf(asked));
    setBusy(false);
  };
  const start = (event: SubmitEvent): void => {
    event.preventDefault();
    const input = inputOf(new FormData(event.currentTarget as HTMLFormElement), team);
    void begin(before ? { ...input, after: before.runId } : input);
  };
  const list = Array.isArray(teams.data) ? (teams.data as readonly Team[]) : [];
  return (
    <main id="main">
      <nav class="crumbs" aria-label="Where">
        <a href={link("home")}>Runs</a>
        <span>Start</span>
      </nav>
      <h1>{before ? "Follow up" : "Start a run"}</h1>
      {before && <Before story={before} />}
      <form class="form" onSubmit={start}>
        <label>
          Goal
          <textarea name="goal" rows={4} required placeholder="Make the login test stable" />
        </label>
        <div class="fields">
          <RepositoryChoice repos={home?.repos ?? []} chosen={at} choose={setRepo} />
          <label>
            Mode
            <select name="mode">
              {modes.map((mode) => (
                <option key={mode}>{mode}</option>
              ))}
            </select>
          </label>
          <CrewChoice teams={list} chosen={team} choose={setTeam} />
          <ApprovalsChoice />
          <label>
            Tokens, at most
            <input name="tokens" type="number" min="1" placeholder="as configured" />
          </label>
          <label>
            Minutes, at most
            <input name="minutes" type="number" min="1" placeholder="as configured" />
          </label>
        </div>
        <Preview repo={at} team={list.find(({ name }) => name === team)} />
        <Refusal refused={refused} />
        <p class="actions">
          <button class="primary" disabled={busy}>
            {busy ? "Starting …" : "Start"}
          </button>
        </p>
      </form>
    </main>
  );
}
