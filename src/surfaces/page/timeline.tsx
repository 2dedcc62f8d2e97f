// The lanes of a run over time. Each bar and each moment opens its evidence beside it.
import type { Bar, Moment, Timeline, Whose } from "../../core/machine/view/index.ts";
import { clock, now, span } from "./format.ts";
import { go, link, route } from "./route.ts";

export interface Scale {
  /** The position of a moment on the line, 0 to 100. */
  at(time: number): number;
  readonly folds: readonly { readonly at: number; readonly ms: number }[];
}

const foldPart = 3;

/** The time scale: periods without an event take a small, fixed part of the line. */
export function scaleOf({ from, folds }: Pick<Timeline, "from" | "folds">, to: number): Scale {
  const kept = folds.slice(0, 20);
  const folded = kept.reduce((sum, fold) => sum + fold.to - fold.from, 0);
  const moving = Math.max(1, to - from - folded);
  const room = 100 - kept.length * foldPart;
  const at = (time: number): number => {
    let ms = Math.max(0, time - from);
    let parts = 0;
    for (const fold of kept) {
      if (time <= fold.from) break;
      const inside = Math.min(time, fold.to) - fold.from;
      ms -= inside;
      parts += (inside / (fold.to - fold.from)) * foldPart;
    }
    return Math.min(100, (ms / moving) * room + parts);
  };
  return { at, folds: kept.map((fold) => ({ at: at(fold.from), ms: fold.to - fold.from })) };
}

const names: Readonly<Record<Whose, string>> = {
  worked: "worked",
  provider: "waited for a provider",
  you: "waited for you",
};

export function select(seq: number): void {
  const { view, of } = route.value;
  go(link(view, { ...of, at: of["at"] === String(seq) ? undefined : seq }), { replace: true });
}

/** Events by their number, each a button that selects it. */
export const Seqs = ({ list }: { list: readonly number[] }) => (
  <span class="seqs">
    {list.map((seq) => (
      <button key={seq} type="button" class="seq" aria-label={`Event ${seq}`} onClick={() => select(seq)}>
        {seq}
      </button>
    ))}
  </span>
);

const chosen = (seq: number): boolean => route.value.of["at"] === String(seq);

function BarButton({ bar, scale, end }: { bar: Bar; scale: Scale; end: number }) {
  const [left, right] = [scale.at(bar.from), scale.at(bar.to ?? end)];
  const took = span((bar.to ?? end) - bar.from);
  const text = `${bar.label}: ${names[bar.whose]} ${took}`;
  return (
    <button
      type="button"
      class={`bar ${bar.whose} ${bar.mark === "bad" ? "bad" : ""} ${bar.to === null ? "open" : ""}`}
      style={{ left: `min(${left}%, 100% - 6px)`, width: `${Math.max(0.4, right - left)}%` }}
      title={text}
      aria-label={text}
      aria-pressed={chosen(bar.seq)}
      onClick={() => select(bar.seq)}
    >
      {(right - left) * innerWidth > 9_000 ? took : ""}
    </button>
  );
}

const Point = ({ moment, scale }: { moment: Moment; scale: Scale }) => (
  <button
    type="button"
    class={`point ${moment.mark}`}
    style={{ left: `${scale.at(moment.at)}%` }}
    title={`${clock(moment.at)} ${moment.text}`}
    aria-label={`${clock(moment.at)} ${moment.text}`}
    aria-pressed={chosen(moment.seq)}
    onClick={() => select(moment.seq)}
  />
);

const whose: readonly Whose[] = ["worked", "provider", "you"];

export function Lanes({ timeline }: { timeline: Timeline }) {
  const end = timeline.to ?? now.value;
  const scale = scaleOf(timeline, end);
  const barred = new Set(timeline.bars.map(({ seq }) => seq));
  const loud = timeline.moments.filter(({ quiet, seq }) => !quiet && !barred.has(seq));
  return (
    <div class="lanes">
      <p class="legend">
        {whose.map((one) => (
          <span key={one}>
            <i class={`key ${one}`} /> {names[one]} <b>{span(timeline.spent[one] + openSpan(timeline, one, end))}</b>
          </span>
        ))}
      </p>
      {timeline.lanes.map(({ id, label }) => (
        <div class="lane" key={id}>
          <span class="name">{label.split(" / ").at(-1)}</span>
          <div class="track">
            {scale.folds.map(({ at, ms }) => (
              <span
                key={at}
                class={`fold ${at > 80 ? "late" : ""}`}
                style={{ left: `${at}%` }}
                title={`nothing moved for ${span(ms)}`}
              >
                {id === timeline.lanes[0]?.id && <small>{span(ms)}</small>}
              </span>
            ))}
            {timeline.bars
              .filter(({ lane }) => lane === id)
              .map((bar) => (
                <BarButton key={`${bar.seq}-${bar.from}`} bar={bar} scale={scale} end={end} />
              ))}
            {loud
              .filter(({ lane }) => lane === id)
              .map((moment) => (
                <Point key={moment.seq} moment={moment} scale={scale} />
              ))}
          </div>
        </div>
      ))}
    </div>
  );
}

/** The part of a wait after the last event. */
function openSpan({ bars, moments }: Timeline, wanted: Whose, end: number): number {
  const last = moments.at(-1)?.at ?? end;
  const open = bars.filter(({ whose: one, to }) => one === wanted && to === null).length;
  return open * Math.max(0, end - last);
}

const marks = { ok: "✔", bad: "✘", ask: "◆", info: "·" } as const;

export function Moments({ moments, all }: { moments: readonly Moment[]; all: boolean }) {
  return (
    <ol class="moments">
      {moments
        .filter(({ quiet }) => all || !quiet)
        .map((moment) => (
          <li key={moment.seq}>
            <button
              type="button"
              class="plainly moment"
              aria-pressed={chosen(moment.seq)}
              onClick={() => select(moment.seq)}
            >
              <time>{clock(moment.at)}</time>
              <span class={`mark ${moment.mark}`} aria-hidden="true">
                {marks[moment.mark]}
              </span>
              <span>{moment.text}</span>
              <span class="seq">{moment.seq}</span>
            </button>
          </li>
        ))}
    </ol>
  );
}
