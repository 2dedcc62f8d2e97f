// The command line of any program, derived from operations: what is typed, what is refused, what is shown.
import { describe, expect, it } from "vitest";
import {
  choice,
  defineFor,
  flag,
  list,
  needed,
  optional,
  source,
  text,
  whole,
  withDefault,
} from "../../operations/define/index.ts";
import { runProgram, type Program } from "./index.ts";

interface Shelf {
  readonly folder: string;
  readonly closed: string[];
}
const define = defineFor<Shelf>();

const operations = [
  define({
    name: "find",
    group: "Look",
    summary: "Find books",
    more: "Calls no model.",
    examples: ["shelf find poems --limit 3"],
    effect: "reads",
    input: {
      words: text("a title, in quotes", { min: 1, max: 40, trim: true }),
      limit: withDefault(whole("how many (default 20)", { min: 1 }), 20),
      order: optional(choice(["title", "year"], "how they are sorted", { cli: { short: "o" } })),
      without: list(text("a word"), "a word that must not occur", { cli: { name: "no-word" } }),
      whole: flag("the whole text", { only: "mcp" }),
    },
    handle: async ({ whole: all, ...input }, { folder }) => ({ folder, all, ...input }),
    cli: { args: ["words"], exit: ({ limit }) => (limit > 100 ? 1 : 0) },
  }),
  define({
    name: "note add",
    group: "Write",
    summary: "Add a note",
    effect: "moves",
    input: {
      note: source("a file, or - for standard input (the default)"),
      argv: list(text("a word"), "a line"),
    },
    handle: async ({ note, argv }) => ({
      name: note.name ?? null,
      text: new TextDecoder().decode(await note.bytes()),
      argv,
    }),
    cli: { args: ["note", "argv"], passthrough: true },
  }),
];

async function call(argv: readonly string[], input = "", more: Partial<Program<Shelf>> = {}) {
  let out = "";
  let err = "";
  const closed: string[] = [];
  const program: Program<Shelf> = {
    name: "shelf",
    tagline: "Shelf: books.",
    epilogue: "Exit codes\n  0 ok",
    operations,
    perform: (operation, given, context) => operation.handle(given as never, context),
    renderer: async () => undefined,
    context: ({ folder }) => ({
      folder,
      closed,
      [Symbol.asyncDispose]: async () => void closed.push(folder),
    }),
    spell: ({ suggest }) => `shelf ${suggest}`,
    jsonLine: (value) => `${JSON.stringify(value)}\n`,
    ...more,
  };
  const io = {
    out: (said: string) => void (out += said),
    err: (said: string) => void (err += said),
    bytes: () => undefined,
    stdin: (async function* () {
      yield new TextEncoder().encode(input);
    })(),
    color: false,
    terminal: false,
    live: false,
    columns: 80,
  };
  const deps = { io, cwd: () => "/books", version: "9.9.9", signal: AbortSignal.timeout(9_000) };
  const code = await runProgram(argv, program, deps);
  return { code, out, err, closed };
}

describe("[B-24] a program derived from operations", () => {
  it("parses words, options and defaults, hands over the context, and shows data as it is", async () => {
    const { code, out, closed } = await call([
      "find",
      " poems ",
      "-o",
      "year",
      "--no-word",
      "a",
      "--no-word",
      "b",
      "--json",
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      schemaVersion: 1,
      ok: true,
      folder: "/books",
      all: false,
      words: "poems",
      limit: 20,
      order: "year",
      without: ["a", "b"],
    });
    expect(closed).toEqual(["/books"]);
    const shown = await call(["find", "poems", "--limit", "200", "--repo", "/other"]);
    expect(shown.code).toBe(1);
    expect(shown.out).toContain("folder: /other\n");
    expect(shown.out).toContain("limit: 200\n");
  });

  it("reads a file or standard input when the handler asks, and leaves what follows -- to the last word", async () => {
    const { out } = await call(["note", "add", "--json", "--", "ls", "--json"], "hello");
    expect(JSON.parse(out)).toMatchObject({ name: null, text: "hello", argv: ["ls", "--json"] });
    const missing = await call(["note", "add", "/nonexistent/x"]);
    expect(missing.code).toBe(2);
    expect(missing.err).toContain("Cannot read /nonexistent/x");
  });

  it.each([
    [["find"], '"shelf find" needs a title, in quotes.', "shelf find --help"],
    [["find", "x", "--limit", "many"], '--limit cannot be "many".', "a whole number above zero"],
    [["find", "x", "--limit", "0"], "--limit cannot be that.", "a whole number above zero"],
    [["find", "x", "--order", "yeer"], '--order cannot be "yeer".', "Did you mean year? Give one of: title, year"],
    [["find", "   "], 'words cannot be "   ".', "a text of 1 to 40 characters"],
    [["find", "x", "--whole"], '"shelf find" has no option --whole.', "--help"],
    [["fint"], 'There is no command "fint".', 'Did you mean "shelf find"?'],
  ])("refuses %j with one message and a remedy", async (argv, message, remedy) => {
    const { code, err, out } = await call(argv);
    expect(code).toBe(2);
    expect(out).toBe("");
    expect(err.split("\n")[0]).toBe(`shelf: ${message}`);
    expect(err.split("\n")[1]).toContain(remedy);
  });

  it("helps and completes in the program's own name", async () => {
    const overview = (await call(["--help"])).out;
    expect(overview).toContain("shelf <command> [options]");
    expect(overview).toContain("  note add    Add a note");
    expect(overview.trimEnd().endsWith("Exit codes\n  0 ok")).toBe(true);
    const help = (await call(["find", "--help"])).out;
    expect(help).toContain("shelf find <words> [options]");
    expect(help).toContain("-o, --order <order>");
    expect(help).toContain("how they are sorted (title | year)");
    expect(help).not.toContain("--whole");
    expect((await call(["completion", "bash"])).out).toContain('--order) words="title year"');
    expect((await call(["--version"])).out).toBe("9.9.9\n");
  });
});

describe("a program with an operation of its own", () => {
  const root = define({
    name: "",
    group: "",
    summary: "Ask",
    effect: "reads",
    input: {
      say: optional(text("words", { cli: { short: "s", dashes: true } })),
      book: list(text("a book"), "books", { cli: { short: "b", several: true } }),
      dry: optional(choice(["short", "long"], "how", { cli: { alone: "short" } })),
      wait: optional(needed(flag("wait", { cli: { negative: "leave" } }))),
      shelf: optional(needed(list(text("a shelf"), "shelves"))),
    },
    handle: async (input) => input,
    cli: {},
  });
  const ask = async (...argv: string[]) => {
    const { out, err, code } = await call([...argv, "--json"], "", { root });
    return code === 0 ? (JSON.parse(out) as Record<string, unknown>) : err + out;
  };

  it("takes several words up to the next option, and a value that begins with a dash", async () => {
    expect(await ask("-b", "one", "two", "-s", "- a point", "--book=three")).toMatchObject({
      book: ["one", "two", "three"],
      say: "- a point",
    });
  });

  it("gives an option without an argument its value, and knows the negative of a flag", async () => {
    expect(await ask("--dry", "--no-wait")).toMatchObject({ dry: "short", wait: false });
    expect(await ask("--dry", "long", "--no-wait", "--wait")).toMatchObject({ dry: "long", wait: true });
    const plain = await ask("-s", "x");
    expect(plain).not.toHaveProperty("wait");
    expect(plain).not.toHaveProperty("shelf");
  });

  it("takes no other option for a value", async () => {
    expect(await ask("-s", "--dry")).toContain("--say needs a value");
    expect(await ask("--no-dry")).toContain("has no option --no-dry");
  });

  it("still finds its commands", async () => {
    expect((await call(["find", "poems", "--json"], "", { root })).code).toBe(0);
  });
});
