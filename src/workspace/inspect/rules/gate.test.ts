import { describe, expect, it } from "vitest";
import { gateOf, mayTake, subjectOf, patterns, rulesAbout } from "./all.ts";

/** A text that a pattern of our tables takes, by chance. Knows what these patterns are made of, and nothing else. */
function textFor(source: string, pick: (n: number) => number): string {
  let at = 0;
  const alternatives = (): string => {
    const choices = [sequence()];
    while (source[at] === "|") {
      at++;
      choices.push(sequence());
    }
    return choices[pick(choices.length)] ?? "";
  };
  const sequence = (): string => {
    let text = "";
    while (at < source.length && source[at] !== "|" && source[at] !== ")") text += repeated();
    return text;
  };
  const repeated = (): string => {
    const start = at;
    const one = atom();
    const many = source[at] ?? "";
    if (!"?+*".includes(many) || many === "") return one;
    const end = at + 1;
    const most = many === "?" ? 1 : 2;
    let text = many === "+" ? one : "";
    for (let more = pick(most + 1); more > 0; more--) {
      at = start;
      text += atom();
    }
    at = end;
    return text;
  };
  const atom = (): string => {
    const char = source[at++] ?? "";
    if (char === "^" || char === "$") return "";
    if (char === "\\") return source[at++] ?? "";
    if (char === ".") return "x";
    if (char === "[") {
      const end = source.indexOf("]", at);
      const [first = ""] = source.slice(at, end);
      at = end + 1;
      return first === "^" ? "y" : first;
    }
    if (char !== "(") return char;
    const nothing = source.startsWith("?!", at);
    if (nothing) at += 2;
    const inner = alternatives();
    at++;
    return nothing ? "" : inner;
  };
  return alternatives();
}

describe("[S-6] what a path shows before a pattern is matched", () => {
  it("never keeps a pattern from a path that it takes", () => {
    let seed = 1;
    const pick = (n: number) => (seed = (seed * 48_271) % 2_147_483_647) % n;
    for (const { pattern, rule } of patterns) {
      let taken = 0;
      for (let round = 0; round < 300; round++) {
        const text = textFor(pattern.source, pick);
        const path = `${["", "sub/", "Sub.d/"][pick(3)]}${text.replace(/^\//, "")}`;
        for (const spelled of pattern.flags === "i" ? [path, path.toUpperCase()] : [path]) {
          if (!pattern.test(spelled)) continue;
          taken++;
          expect(mayTake(gateOf(pattern), subjectOf(spelled)), `${pattern} ${spelled}`).toBe(true);
          expect(rulesAbout(spelled).has(rule)).toBe(true);
        }
      }
      expect(taken, String(pattern)).toBeGreaterThan(50);
    }
  });

  it("keeps most patterns from an ordinary path", () => {
    const asked = patterns.filter(({ gate }) => mayTake(gate, subjectOf("src/main.ts")));
    expect(asked.length).toBeLessThan(12);
    expect(rulesAbout("src/main.ts").size).toBe(0);
  });

  it.each([
    [/(^|\/)\.envrc$/, { hidden: true, ending: ".envrc" }],
    [/(^|\/)\.?crush\.json$/, { hidden: false, ending: "crush.json" }],
    [/(^|\/)Pip\.ya?ml$/i, { hidden: false, ending: "ml" }],
    [/(^|\/)\.(a|b)\/.+/, { hidden: true, ending: "" }],
    [/(^|\/)\.a$|(^|\/)b$/, { hidden: false, ending: "" }],
    [/x\w$/, { hidden: false, ending: "" }],
  ])("reads off %s what its paths have in common", (pattern, gate) => {
    expect(gateOf(pattern)).toEqual(gate);
  });
});
