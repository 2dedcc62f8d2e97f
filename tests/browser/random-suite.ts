// Runs against pages whose behaviour is drawn at random, from a seed that is told. What must hold does not depend on it:
// a success is the whole answer, a message is sent at most once, every failure has its code, nothing is left open.
import { expect } from "vitest";
import { browserStatus } from "../../src/oracle/browser/index.ts";
import { type Site, failureTable, sites } from "./words.ts";
import { plainScenario, type Scenario } from "../sites/scenario.ts";
import type { Asked, Stage } from "./stage.ts";

/** A small generator with a seed: the same numbers everywhere. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface Drawn {
  readonly site: Site;
  readonly scenario: Scenario;
  readonly answer: string;
}

function answerFrom(next: () => number): string {
  const blocks = Array.from({ length: Math.floor(next() * 3) }, (_, at) => {
    const lines = Array.from(
      { length: 1 + Math.floor(next() * 6) },
      (_line, row) => `${"\t".repeat(row % 3)}line ${row} of ${at};  x = ${Math.floor(next() * 99)} < 5 && "y"`,
    );
    return `\`\`\`js\n${lines.join("\n")}\n\`\`\``;
  });
  const words = Array.from({ length: 5 + Math.floor(next() * 60) }, () => `word${Math.floor(next() * 1_000)}`).join(
    " ",
  );
  return [`Answer ${Math.floor(next() * 1e9)}: ${words}.`, ...blocks, "That is all."].join("\n\n");
}

export function draw(next: () => number): Drawn {
  const often = <T>(usual: T, ...other: readonly T[]): T =>
    next() < 0.75 ? usual : (other[Math.floor(next() * other.length)] ?? usual);
  const answer = answerFrom(next);
  const scenario: Scenario = {
    ...plainScenario,
    answers: [answer],
    composerMs: often(0, 300, 1_500),
    announcement: next() < 0.15,
    strangeDialog: next() < 0.04,
    language: often("en", "de"),
    wall: often("none", "none", "none", "challenge", "throttle", "throttle_after_send"),
    composerGone: next() < 0.03,
    cutPromptAt: often(null, null, 12),
    swallowedPresses: often(0, 1, 2),
    slowSendMs: often(0, 400, 1_500),
    sendNeverShows: next() < 0.04,
    thinkingMs: often(50, 600, 1_500),
    preamble: often(null, "Let me look at that first."),
    chunks: 1 + Math.floor(next() * 12),
    chunkMs: often(30, 5, 120),
    pauses: often<readonly number[]>([], [700], [50, 1_200]),
    stopFlickers: next() < 0.2,
    replaceNode: next() < 0.2,
    done: often("normal", "early", "flickers", "never"),
    end: often("normal", "cut", "banner", "reload", "navigate", "network"),
    collapsed: next() < 0.2,
    lineNumbers: next() < 0.2,
    copy: often("text", "item", "fails", "part", "old", "none"),
  };
  return { site: sites[Math.floor(next() * sites.length)] ?? "chatgpt", scenario, answer };
}

const flat = (text: string) => text.replaceAll(/\s+/g, " ").trim();
/** The drawn words of a text that are whole: the last one may be cut. */
const wordsOf = (text: string) => [...text.matchAll(/word\d+(?=[ .])/g)].map(([word]) => word);
const blocksOf = (text: string) => [...text.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = ""]) => code);

/** Throws what is wrong with the outcome of one run. */
export function judge({ scenario, answer }: Drawn, { result, answer: got, posts }: Asked): void {
  expect(posts.length).toBeLessThanOrEqual(1);
  if (result.status === "success") {
    expect(posts).toHaveLength(1);
    expect(scenario.done).not.toBe("never");
    expect(["cut", "banner"]).not.toContain(scenario.end);
    expect(scenario.wall).toBe("none");
    const text = got ?? "";
    if (result.captureSource === "copy_button") return expect(text).toBe(answer);
    expect(blocksOf(text)).toEqual(blocksOf(answer));
    const preamble = scenario.preamble === null ? "" : `${scenario.preamble} `;
    return expect(flat(text)).toBe(flat(preamble + answer));
  }
  if (result.status === "partial") {
    // The words that came before the end broke off, and none that the page never showed.
    expect(posts).toHaveLength(1);
    const kept = wordsOf(got ?? "");
    return expect(wordsOf(answer).slice(0, kept.length)).toEqual(kept);
  }
  expect(["error", "timeout"]).toContain(result.status);
  expect(Object.keys(failureTable)).toContain(result.error?.code);
  expect(result.error?.remedy).toMatch(/\w/);
}

export interface Outcome {
  readonly seed: number;
  readonly status: string;
  readonly code: string | null;
}

/** So many runs, a few at a time; fails with the seed of the first that is wrong. */
export async function playRandom(stage: Stage, firstSeed: number, count: number, atOnce: number): Promise<Outcome[]> {
  const seeds = Array.from({ length: count }, (_, at) => firstSeed + at);
  const outcomes: Outcome[] = [];
  const worker = async () => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const drawn = draw(random(seed));
      const asked = await stage.ask(drawn.site, drawn.scenario, ["--timeout", "15s"]);
      try {
        judge(drawn, asked);
      } catch (error) {
        throw new Error(
          `seed ${seed} (${drawn.site}): ${JSON.stringify(asked.result.error)} ${JSON.stringify(drawn.scenario)}`,
          { cause: error },
        );
      }
      outcomes.push({ seed, status: asked.result.status, code: asked.result.error?.code ?? null });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  expect((await browserStatus(stage.deps)).running?.tabs).toEqual([]);
  return outcomes;
}
