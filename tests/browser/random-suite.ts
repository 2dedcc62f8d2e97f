// Runs against pages whose behaviour is drawn at random, from a seed that is told. What must hold does not depend on it:
// a success is the whole answer of the requested model, a message is sent at most once and to a chat, every failure has its
// code, nothing is left open.
import { expect } from "vitest";
import { browserStatus } from "../../src/oracle/browser/index.ts";
import { type Site, failureTable, sites } from "./words.ts";
import { plainScenario, type Scenario } from "../sites/scenario.ts";
import { type PublicScenario, publicScenario, siteScenario } from "../sites-public/scenario.ts";
import { type WantedModel, anotherModelAnswers, wantedFirst, wantedPublic } from "./random-models.ts";
import type { PageSetName } from "./stage-for.ts";
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
  readonly set: PageSetName;
  readonly scenario: Scenario | PublicScenario;
  readonly answer: string;
  readonly wanted: WantedModel | null;
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

type Often = <T>(usual: T, ...other: readonly T[]) => T;

const oftenOf =
  (next: () => number): Often =>
  (usual, ...other) =>
    next() < 0.75 ? usual : (other[Math.floor(next() * other.length)] ?? usual);

/** What both sets of pages can do. */
function drawShared(next: () => number, often: Often, answer: string): Scenario {
  return {
    ...plainScenario,
    answers: [answer],
    composerMs: often(0, 300, 1_500),
    announcement: next() < 0.15,
    strangeDialog: next() < 0.04,
    wall: often("none", "none", "none", "challenge", "throttle", "throttle_after_send"),
    composerGone: next() < 0.03,
    swallowedPresses: often(0, 1, 2),
    slowSendMs: often(0, 400, 1_500),
    sendNeverShows: next() < 0.04,
    thinkingMs: often(50, 600, 1_500),
    preamble: often(null, "Let me look at that first."),
    chunks: 1 + Math.floor(next() * 12),
    chunkMs: often(30, 5, 120),
    pauses: often<readonly number[]>([], [700], [50, 1_200]),
    replaceNode: next() < 0.2,
    done: often("normal", "early", "flickers", "never"),
    end: often("normal", "cut", "banner", "reload", "navigate", "network"),
    collapsed: next() < 0.2,
    copy: often("text", "item", "fails", "part", "old", "none"),
    modelReverts: next() < 0.08,
  };
}

function drawFirst(next: () => number): Drawn {
  const often = oftenOf(next);
  const answer = answerFrom(next);
  const site = sites[Math.floor(next() * sites.length)] ?? "chatgpt";
  const wanted = next() < 0.4 ? wantedFirst(next) : null;
  const scenario: Scenario = {
    ...drawShared(next, often, answer),
    language: often("en", "de"),
    cutPromptAt: often(null, null, 12),
    interim: often(null, null, "Pro thinking", "I'll look at that first."),
    stopHidden: next() < 0.15,
    longPoll: next() < 0.05,
    notice: often(null, null, null, null, "You've hit the limit of your plan. It resets later."),
    mode: site === "chatgpt" ? often(null, "Chat", "Work") : site === "copilot" ? often(null, "Ask", "Agent") : null,
    modeFixed: next() < 0.1,
    stopFlickers: next() < 0.2,
    lineNumbers: next() < 0.2,
    models: ["GPT-5 mini", "GPT-5", "GPT-5.5 Thinking", "GPT-5.5"],
    model: "GPT-5 mini",
  };
  return { site, set: "first", scenario, answer, wanted };
}

function drawPublic(next: () => number): Drawn {
  const often = oftenOf(next);
  const answer = answerFrom(next);
  const site = sites[Math.floor(next() * sites.length)] ?? "chatgpt";
  const wanted = next() < 0.5 ? wantedPublic(site, next) : null;
  const scenario: PublicScenario = {
    ...publicScenario,
    ...drawShared(next, often, answer),
    ...siteScenario[site],
    language: often("en", "ja"),
    surface: often("chat", "work", "none"),
    copilotMode: often("Ask", "Agent", "none"),
    repository: often(null, "jo/app"),
    transientMs: often(0, 500, 2_000),
    lockedEfforts: often<readonly string[]>([], ["Pro"]),
    mouseChooses: next() < 0.5,
    menuCloses: next() < 0.5,
    menuTextMs: often(120, 0, 700),
    modeIds: often("hashes", "words"),
    thinkingMenu: often("switch", "submenu"),
    rerenderMs: often(0, 200, 900),
    drawnTurns: often(0, 4),
    codeBlocks: often("code", "viewer"),
    pendingElement: next() < 0.7,
    limit: often("none", "none", "none", "toast", "banner", "toast_after_send"),
    longPoll: next() < 0.5,
    // Only ChatGPT's turns name the model that answered.
    answeringModel: wanted === null || site !== "chatgpt" ? null : next() < 0.1 ? anotherModelAnswers : wanted.slug,
  };
  return { site, set: "public", scenario, answer, wanted };
}

export const draw = (next: () => number, set: PageSetName): Drawn =>
  set === "public" ? drawPublic(next) : drawFirst(next);

const flat = (text: string) => text.replaceAll(/\s+/g, " ").trim();
/** The drawn words of a text that are whole: the last one may be cut. */
const wordsOf = (text: string) => [...text.matchAll(/word\d+(?=[ .])/g)].map(([word]) => word);
const blocksOf = (text: string) => [...text.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = ""]) => code);

/** The text that the page shows in the end: the first set keeps the preamble above the answer. */
const shownBy = ({ set, scenario, answer }: Drawn): readonly string[] =>
  scenario.preamble === null || set === "public" ? [flat(answer)] : [flat(`${scenario.preamble} ${answer}`)];

function judgeSuccess(drawn: Drawn, { result, answer: got, posts }: Asked): void {
  const { scenario, answer, wanted } = drawn;
  expect(posts).toHaveLength(1);
  expect(scenario.done).not.toBe("never");
  expect(["cut", "banner"]).not.toContain(scenario.end);
  expect(scenario.wall).toBe("none");
  expect(scenario.notice).toBeNull();
  expect([null, "Chat", "Ask"]).toContain(posts[0]?.mode);
  if (wanted !== null) {
    expect(posts[0]).toMatchObject(wanted.chosen ?? { model: "none was offered" });
    expect(scenario.answeringModel).not.toBe(anotherModelAnswers);
  }
  const text = got ?? "";
  if (result.captureSource === "copy_button") return expect(text).toBe(answer);
  expect(blocksOf(text)).toEqual(blocksOf(answer));
  return expect(shownBy(drawn)).toContain(flat(text));
}

/** Throws what is wrong with the outcome of one run. `astray`: messages that began a task. */
export function judge(drawn: Drawn, asked: Asked, astray: number): void {
  const { result, answer: got, posts } = asked;
  expect(astray).toBe(0);
  expect(posts.length).toBeLessThanOrEqual(1);
  if (drawn.wanted?.chosen === null) expect(posts).toEqual([]);
  if (result.status === "success") return judgeSuccess(drawn, asked);
  if (result.status === "partial") {
    // The words that came before the end broke off, and none that the page never showed.
    expect(posts).toHaveLength(1);
    const kept = wordsOf(got ?? "");
    return expect(wordsOf(drawn.answer).slice(0, kept.length)).toEqual(kept);
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
export async function playRandom(
  stage: Stage,
  set: PageSetName,
  { firstSeed, count, atOnce }: { readonly firstSeed: number; readonly count: number; readonly atOnce: number },
): Promise<Outcome[]> {
  const seeds = Array.from({ length: count }, (_, at) => firstSeed + at);
  const outcomes: Outcome[] = [];
  const worker = async () => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const drawn = draw(random(seed), set);
      const asked = await stage.ask(drawn.site, drawn.scenario, ["--timeout", "15s", ...(drawn.wanted?.args ?? [])]);
      const astray = ["work", "agent"].flatMap((place) => stage.sites.postsOf(`${place}:${asked.id}`)).length;
      try {
        judge(drawn, asked, astray);
      } catch (error) {
        throw new Error(
          `seed ${seed} (${set} ${drawn.site} ${drawn.wanted?.args.join(" ") ?? ""}): ${JSON.stringify(asked.result.error)} ${JSON.stringify(drawn.scenario)}`,
          { cause: error },
        );
      }
      outcomes.push({ seed, status: asked.result.status, code: asked.result.error?.code ?? null });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return outcomes;
}

/** The tab of a run that ended in the middle of a step waits a minute for a successor. */
export async function expectNoTab({ deps }: Stage): Promise<void> {
  await expect.poll(async () => (await browserStatus(deps)).running?.tabs ?? [], { timeout: 120_000 }).toEqual([]);
}
