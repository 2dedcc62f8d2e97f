import { describe, expect, it } from "vitest";
import { loadJudge } from "../../../tests/support/commands/load.ts";

const judge = await loadJudge();
const { classify } = judge;

describe("a verdict", () => {
  it("[S-9] points at the part that decided, in units of the given text", () => {
    const line = "echo 'é😀' && rm -rf build";
    const [part] = classify(line).parts;
    expect(part).toMatchObject({ class: "destructive", text: "rm -rf build" });
    expect(line.slice(part?.span.start, part?.span.end)).toBe("rm -rf build");
  });

  it("names the riskiest part first and keeps the others", () => {
    const { class: name, parts } = classify("ls; npm i x; curl y; rm z; cat .env");
    expect(name).toBe("credential_sensitive");
    expect(parts.map((part) => part.class)).toEqual([
      "credential_sensitive",
      "destructive",
      "dependency_install",
      "network",
      "read_only",
    ]);
  });

  it("[S-9] an unknown command counts as worse than an install, and as less than a deletion", () => {
    expect(classify("npm i x; ./mystery-program").class).toBe("unknown");
    expect(classify("curl y; ./mystery-program; npm i x").parts.map((part) => part.class)).toEqual([
      "unknown",
      "dependency_install",
      "network",
    ]);
    expect(classify("./mystery-program; rm -rf build").class).toBe("destructive");
    expect(classify("./mystery-program").gated).toBe(true);
  });

  it("points at the word that holds nested code", () => {
    const [part] = classify("bash -c 'ls; rm x'").parts;
    expect(part).toMatchObject({ class: "destructive", text: "'ls; rm x'" });
  });

  it("explains what must be asked about even when a worse class is not the reason", () => {
    expect(classify("touch a; touch /etc/x")).toMatchObject({
      class: "local_write",
      gated: true,
      why: "Writes outside the workspace: /etc/x",
    });
  });

  it("says something for an empty line", () => {
    for (const line of ["", "  ", "\n", "# a comment"])
      expect(classify(line)).toMatchObject({ class: "read_only", gated: false, parts: [] });
  });
});

describe("the workspace", () => {
  it("counts an absolute path below the given root as inside", () => {
    expect(classify("touch /w/repo/a", { root: "/w/repo" }).gated).toBe(false);
    expect(classify("touch /w/repo/../a", { root: "/w/repo" }).gated).toBe(true);
    expect(classify("touch /w/repository", { root: "/w/repo" }).gated).toBe(true);
    expect(classify("touch /w/repo/.git/hooks/x", { root: "/w/repo/" }).gated).toBe(true);
    expect(classify("touch /w/repo/a").gated).toBe(true);
  });

  it("follows cd, back and forth, and forgets it behind a subshell", () => {
    expect(classify("cd src && touch ../a").gated).toBe(false);
    expect(classify("cd src && touch ../../a").gated).toBe(true);
    expect(classify("(cd ..) && touch a").gated).toBe(false);
    expect(classify("cd .. ; touch a").gated).toBe(true);
    expect(classify('cd "$X" && touch a').gated).toBe(true);
    expect(classify("cd - && touch a").gated).toBe(true);
    expect(classify("cd && touch a").gated).toBe(true);
  });
});

describe("hidden characters", () => {
  it.each([
    ["a bidi override", "ls \u202e-la"],
    ["a zero-width space", "ls\u200b -la"],
    ["a no-break space", "ls\u00a0-la"],
    ["a tag character", "ls \u{e0072}"],
    ["a NUL", "ls \0"],
    ["an escape", "ls \u001b[31m"],
    ["a carriage return", "ls\r\nrm x"],
    ["a lone surrogate", "ls \ud800"],
    ["a private character", "ls \ue000"],
    ["a full-width semicolon", "ls\uff1brm x"],
    ["an ideographic space", "ls\u3000-la"],
    ["a Cyrillic letter in a program's name", "l\u0455"],
  ])("[S-9] %s makes the line unknown", (_, line) => {
    expect(classify(line)).toMatchObject({ class: "unknown", gated: true });
  });

  it("letters of other scripts are just letters", () => {
    for (const line of ["cat docs/日本語.md", "echo 'naïve — résumé'", "ls Übung"])
      expect(classify(line).gated).toBe(false);
  });
});

describe("depth and size", () => {
  const nest = (depth: number): string =>
    depth === 0 ? "rm x" : `bash -c '${nest(depth - 1).replaceAll("'", String.raw`'\''`)}'`;

  it("[S-9] follows nested shells, and fails closed when they go too deep", () => {
    for (let depth = 1; depth <= 8; depth += 1) expect(classify(nest(depth)).class).toBe("destructive");
    expect(classify(`${"eval eval ".repeat(40)} ls`).gated).toBe(true);
  });

  it("a line that is too long or too deep is unknown, and answered at once", () => {
    expect(classify(`echo ${"a".repeat(70_000)}`)).toMatchObject({ class: "unknown", gated: true });
    expect(classify(`${"(".repeat(3000)}ls${")".repeat(3000)}`).gated).toBe(true);
    expect(classify("$(".repeat(3000)).gated).toBe(true);
    expect(classify(`echo {a,b}${"{a,b}".repeat(60)}`).class).toBe("read_only");
  });
});

describe("arguments without a shell", () => {
  it("are not split, expanded or read as operators", () => {
    expect(judge.classifyArgv(["echo", "a; rm -rf /", "$(rm x)", "it's"]).gated).toBe(false);
    expect(judge.classifyArgv(["rm", "a b"]).class).toBe("destructive");
    expect(judge.classifyArgv(["bash", "-c", "rm x"]).class).toBe("destructive");
    expect(judge.classifyArgv(["A=b", "ls"]).gated).toBe(true);
  });
});
