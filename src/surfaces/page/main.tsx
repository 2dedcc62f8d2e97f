// The page: gets access by its link, then shows the view of its address.
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { door, enterPage, gatesOnly, reason } from "./api.ts";
import { DevicesView } from "./devices.tsx";
import { DiffView } from "./diff.tsx";
import { GateView } from "./gate.tsx";
import { HomeView } from "./home.tsx";
import { JudgesView } from "./judges.tsx";
import { OracleView } from "./oracle.tsx";
import { record } from "./record.ts";
import { go, link, route } from "./route.ts";
import { RunView } from "./run.tsx";
import { SessionPage } from "./session.tsx";
import { StartView } from "./start.tsx";

const views: Readonly<Record<string, () => preact.JSX.Element>> = {
  home: HomeView,
  run: RunView,
  gate: GateView,
  diff: DiffView,
  start: StartView,
  judges: JudgesView,
  oracle: OracleView,
  session: SessionPage,
  devices: DevicesView,
};

const Closed = () => (
  <main id="main" class="closed">
    <h1>This tab is not let in</h1>
    <p role="alert">{reason.value}</p>
    <p>
      Press Enter in the terminal where <code>thehood web</code> runs and open the link that it prints, or start{" "}
      <code>thehood web</code> again. A link is good for one use within a minute; the browser that it let in stays
      paired.
    </p>
  </main>
);

const keys: readonly (readonly [string, string])[] = [
  ["g", "all runs"],
  ["s", "start a run"],
  ["j, k", "next and previous in a list"],
  ["/", "search"],
  ["n", "at a gate: the next part that was not on screen"],
  ["a", "at a gate: go to the answer"],
  ["Esc", "close the evidence"],
  ["?", "these keys"],
];

function Help({ close }: { close(): void }) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => box.current?.showModal(), []);
  return (
    <dialog class="help" ref={box} onClose={close}>
      <h2>Keys</h2>
      <dl>
        {keys.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button>Close</button>
      </form>
    </dialog>
  );
}

function step(by: 1 | -1): void {
  const items = [...document.querySelectorAll<HTMLElement>(".runs a, .moments button")];
  const at = items.indexOf(document.activeElement as HTMLElement);
  items[at === -1 ? (by === 1 ? 0 : items.length - 1) : Math.min(items.length - 1, Math.max(0, at + by))]?.focus();
}

function useKeys(help: () => void): void {
  useEffect(() => {
    const actions: Readonly<Record<string, () => void>> = {
      g: () => go(link("home")),
      s: () => go(link("start")),
      j: () => step(1),
      k: () => step(-1),
      n: () => document.querySelector<HTMLElement>("button.hint")?.click(),
      a: () => document.querySelector<HTMLElement>(".buttons .primary")?.focus(),
      "/": () => document.querySelector<HTMLElement>("input[type=search]")?.focus(),
      "?": help,
      Escape: () => document.querySelector<HTMLElement>(".evidence header button")?.click(),
    };
    const press = (event: KeyboardEvent): void => {
      const typing = (event.target as HTMLElement).closest("input, textarea, select, dialog");
      const action = typing || event.ctrlKey || event.metaKey || event.altKey ? undefined : actions[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

function Page() {
  const [helping, help] = useState(false);
  useKeys(() => help(true));
  const { view } = route.value;
  const View = views[view] ?? HomeView;
  useEffect(() => {
    if (view === "home") document.title = "thehood";
  }, [view]);
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => (event.preventDefault(), document.getElementById("main")?.focus())}
      >
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href={link("home")}>
          thehood
        </a>
        {record && <span class="quiet">a record of one run, read only</span>}
        <nav aria-label="Pages" hidden={record !== undefined || gatesOnly.value}>
          {(
            [
              ["home", "Runs"],
              ["judges", "Judges"],
              ["oracle", "Oracle"],
            ] as const
          ).map(([name, text]) => (
            <a key={name} href={link(name)} aria-current={view === name ? "page" : undefined}>
              {text}
            </a>
          ))}
        </nav>
        <button type="button" class="plainly" aria-label="Keys" onClick={() => help(true)}>
          ?
        </button>
      </header>
      {door.value === "unreachable" && (
        <p class="lost" role="status">
          The server does not answer; what you see may be old.
        </p>
      )}
      {door.value === "closed" ? (
        <Closed />
      ) : door.value === "entering" ? null : (
        <View key={`${view} ${route.value.of["repo"]} ${route.value.of["id"]}`} />
      )}
      {helping && <Help close={() => help(false)} />}
    </>
  );
}

render(<Page />, document.getElementById("page") as HTMLElement);
// A new link that is pasted into this tab changes only the hash of its address.
addEventListener("hashchange", () => {
  if (location.hash.startsWith("#t=")) void enterPage();
});
void enterPage();
