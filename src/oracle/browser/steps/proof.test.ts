import { describe, expect, it } from "vitest";
import type { PageSnapshot } from "../shapes.ts";
import { type Proof, isProved, looksFinished, noProof, weigh } from "./proof.ts";

const times = {
  pollMs: 400,
  holds: 3,
  stableMs: 1_200,
  composerMs: 1,
  uploadMs: 1,
  chipStableMs: 1,
  sendMs: 1,
  swallowedMs: 1,
  modelMs: 1,
  copyMs: 1,
  flowMs: 1,
  brokenMs: 1,
  settleMs: 1,
  fileMs: 1,
};

const done: PageSnapshot = {
  url: "https://chatgpt.com/c/1",
  title: "",
  loaded: true,
  challenge: false,
  loggedIn: true,
  loggedOut: false,
  throttled: null,
  announcement: false,
  dialog: null,
  composer: { text: "" },
  send: { enabled: false },
  stop: false,
  idle: true,
  chips: [],
  uploadError: null,
  turns: [],
  answer: {
    key: "a",
    markdown: "text",
    done: true,
    busy: false,
    placeholder: false,
    preamble: false,
    model: null,
    pictures: 0,
  },
  errorBanner: null,
  noticeError: null,
  model: null,
  mode: null,
  inputFiles: [],
};
const answer = done.answer as NonNullable<PageSnapshot["answer"]>;

/** The verdict after these looks, 400 ms apart. */
function after(looks: readonly (Partial<PageSnapshot> & { flowing?: boolean; broken?: boolean })[]): boolean {
  let proof: Proof = noProof;
  let now = 0;
  for (const { flowing = false, broken = false, ...snapshot } of looks) {
    now += 400;
    proof = weigh(proof, { snapshot: { ...done, ...snapshot }, flowing, broken, now });
  }
  return isProved(proof, now, times);
}

const times4 = <T>(one: T) => [one, one, one, one];

describe("an answer is proved whole", () => {
  it("by the finished marks of its turn, held for three looks and 1.2 s without a change", () => {
    expect(after(times4({}))).toBe(true);
    expect(after([{}, {}, {}])).toBe(false);
  });

  it.each([
    ["no finished marks", { answer: { ...answer, done: false } }],
    ["a stop button", { stop: true }],
    ["a busy mark", { answer: { ...answer, busy: true } }],
    ["a placeholder", { answer: { ...answer, placeholder: true } }],
    ["no answer at all", { answer: null }],
    ["an error of the page", { errorBanner: "Something went wrong" }],
    ["a page that is not idle", { idle: false }],
    ["a request that still brings text", { flowing: true }],
    ["a request that broke off", { broken: true }],
  ])("never with %s", (_, snapshot) => {
    expect(after(Array.from({ length: 20 }, () => snapshot))).toBe(false);
    expect(
      looksFinished({
        snapshot: { ...done, ...snapshot },
        flowing: "flowing" in snapshot,
        broken: "broken" in snapshot,
        now: 0,
      }),
    ).toBe(false);
  });

  it("not while its text or its turn changes", () => {
    const growing = Array.from({ length: 9 }, (_, at) => ({
      answer: { ...answer, markdown: "x".repeat(at) },
    }));
    expect(after(growing)).toBe(false);
    const moving = Array.from({ length: 9 }, (_, at) => ({ answer: { ...answer, key: `turn-${at}` } }));
    expect(after(moving)).toBe(false);
  });

  it("marks that flicker count from their last beginning", () => {
    expect(after([{}, {}, { answer: { ...answer, done: false } }, {}, {}])).toBe(false);
    expect(after([{}, {}, { answer: { ...answer, done: false } }, {}, {}, {}])).toBe(true);
  });
});
