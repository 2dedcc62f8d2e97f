// Small components that every view uses.
import type { ComponentChildren } from "preact";
import type { Refused } from "./api.ts";
import { words } from "./format.ts";

const tones: Readonly<Record<string, string>> = {
  completed: "good",
  passed: "good",
  proven: "good",
  satisfied: "good",
  ok: "good",
  done: "good",
  low: "plain",
  medium: "warn",
  high: "bad",
  failed: "bad",
  bad: "bad",
  rejected: "bad",
  blocked: "bad",
  unproven: "bad",
  timed_out: "bad",
  aborted: "plain",
  judged: "warn",
  ask: "warn",
  completed_with_doubts: "warn",
  awaiting_approval: "ask",
  waits: "ask",
  works: "live",
  working: "live",
  stopped: "warn",
};

const toneOf = (word: string): string => tones[word] ?? "plain";

export const Badge = ({ word, text }: { word: string; text?: string }) => (
  <span class={`badge ${toneOf(word)}`}>{text ?? words(word)}</span>
);

export const Refusal = ({ refused }: { refused: Refused | undefined }) =>
  refused ? (
    <div class="refusal" role="alert">
      <b>{refused.message}</b>
      {refused.remedy && <p>{refused.remedy}</p>}
    </div>
  ) : null;

export const Waiting = ({ text = "Loading" }: { text?: string }) => (
  <p class="quiet" role="status">
    {text} …
  </p>
);

export const Section = ({
  title,
  aside,
  children,
  id,
}: {
  title: string;
  aside?: ComponentChildren;
  id?: string;
  children: ComponentChildren;
}) => (
  <section class="section" {...(id ? { id } : {})}>
    <header>
      <h2>{title}</h2>
      {aside}
    </header>
    {children}
  </section>
);

export const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div class="fact">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
