// Signatures: one changed byte, another key or another order of things is found.
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { openEnvelope, signEnvelope } from "./dsse.ts";
import { signHead, judgeHeads } from "./log-heads/head.ts";
import { userKey, type UserKey } from "./key.ts";

let key: UserKey;
let other: UserKey;
beforeEach(() => {
  key = userKey(join(tempFolder("key-"), "a"));
  other = userKey(join(tempFolder("key-"), "b"));
});

interface Envelope {
  payload: string;
  signatures: { keyid: string; sig: string }[];
}

describe("[B-14] a signed envelope", () => {
  const altered = (text: string, change: (made: Envelope) => void): string => {
    const made = JSON.parse(text) as Envelope;
    change(made);
    return JSON.stringify(made);
  };
  const coded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");

  it("opens with its key, and says nothing to a stranger", () => {
    const text = signEnvelope(key, { run: "run_1" });
    expect(openEnvelope(text, [other, key])).toEqual({
      kind: "signed",
      statement: { run: "run_1" },
      keyid: key.id,
    });
    expect(openEnvelope(text, [other])).toEqual({ kind: "stranger", keyids: [key.id] });
  });

  it("is broken when its words were changed, or when another key signed under this name", () => {
    const text = signEnvelope(key, { run: "run_1" });
    const words = altered(text, (made) => (made.payload = coded({ run: "run_2" })));
    const stranger = JSON.parse(signEnvelope(other, { run: "run_1" })) as Envelope;
    const forged = altered(text, (made) => {
      made.signatures = [{ keyid: key.id, sig: stranger.signatures[0]?.sig ?? "" }];
    });
    for (const bad of [words, forged, "no JSON", "{}", "null"]) expect(openEnvelope(bad, [key]).kind).toBe("broken");
  });
});

describe("[B-13] the signed heads of a run", () => {
  const hashes = ["h1", "h2", "h3", "h4"];
  const log = (list: readonly string[] = hashes) => ({
    seq: list.length,
    hashOf: (seq: number) => list[seq - 1],
  });
  const heads = (...seqs: number[]) =>
    seqs.map((seq) => signHead(key, { run: "run_1", seq, head: hashes[seq - 1] ?? "", at: seq * 1_000 }));

  it("agree with the log that they were signed of, and with a longer one", () => {
    expect(judgeHeads(heads(1, 2, 3), key, log())).toBeUndefined();
    expect(judgeHeads(heads(1, 4), key, log())).toBeUndefined();
  });

  it.each([
    ["a cut tail", log(["h1", "h2"]), "ends at event 2"],
    ["a rewritten event", log(["h1", "h2", "h3", "x"]), "event 4 is another one"],
    ["a rewritten history of the same length", log(["x", "x", "x", "x"]), "is another one"],
    ["a log that is gone", undefined, "it is missing"],
  ])("find %s", (_, found, words) => {
    expect(judgeHeads(heads(1, 2, 4), key, found)).toContain(words);
  });

  it("do not count when they were altered to fit: the newest is proven by its signature", () => {
    const forged = heads(1, 2, 3, 4).map((head) => (head.seq === 4 ? { ...head, head: "x" } : head));
    expect(judgeHeads(forged, key, log(["h1", "h2", "h3", "x"]))).toContain("altered");
    const marked = heads(1, 2, 3, 4).map((head) => (head.seq === 1 ? { ...head, mark: "anew" as const } : head));
    expect(judgeHeads(marked, key, log())).toContain("altered");
  });

  it("of another key say nothing", () => {
    expect(judgeHeads(heads(1, 4), other, undefined)).toBeUndefined();
  });
});
