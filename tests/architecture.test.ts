// The arrows of the house, held as data and checked against the imports.
import { readFileSync, readdirSync, existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { folderKnots } from "./support/folder-knots.ts";

const root = resolve(import.meta.dirname, "..");
const pure = ["contract", "machine", "patch", "secrets", "commands", "crew"];
const mayImport: Record<string, readonly string[]> = {
  contract: [],
  machine: ["contract"],
  patch: ["contract"],
  secrets: ["contract"],
  commands: ["contract"],
  crew: ["contract", "machine"],
  // The rim: rooms that touch the operating system. Each row names all that may be imported, so that their order is held.
  system: ["contract"],
  config: ["contract", "system"],
  store: [...pure, "system"],
  http: ["contract"],
  engine: pure,
  paths: [...pure, "system"],
  git: [...pure, "system", "paths"],
  sandbox: [...pure, "system", "paths", "git"],
  checkout: [...pure, "system", "paths", "git", "sandbox"],
  checks: [...pure, "system", "paths", "git", "sandbox", "checkout"],
  stranger: [...pure, "system", "paths", "git"],
  evidence: [...pure, "system", "git"],
  bundle: [...pure, "system", "paths", "git"],
  browser: [...pure, "system"],
  gateway: [...pure, "system", "store", "http", "paths", "git", "sandbox"],
  providers: [...pure, "system", "paths", "sandbox", "browser", "gateway"],
  transport: [...pure, "system", "bundle", "git", "checkout"],
  hosts: ["contract", "system", "config", "paths", "git"],
  judges: [...pure, "system", "paths", "git", "checkout", "stranger"],
  setup: [
    ...pure,
    "system",
    "config",
    "store",
    "paths",
    "git",
    "sandbox",
    "checkout",
    "stranger",
    "providers",
  ],
  operations: pure,
  runs: [
    ...pure,
    "system",
    "config",
    "store",
    "engine",
    "git",
    "checkout",
    "checks",
    "stranger",
    "evidence",
    "setup",
    "operations",
  ],
  fleet: ["contract", "system", "store", "git", "checkout", "operations"],
  // The command line of any program, derived from its operations.
  "surfaces/argv": ["contract", "operations"],
  "surfaces/cli": ["contract", "operations", "surfaces/argv", "surfaces/terminal"],
  "surfaces/oracle": ["contract", "operations", "surfaces/argv"],
  "surfaces/mcp": ["contract", "operations", "http"],
  "surfaces/web": ["contract", "operations", "http"],
  // The page itself: it runs in a browser, and of other rooms it knows only the shapes that they answer with.
  web: [...pure, "operations"],
  "surfaces/library": ["contract", "operations"],
  "surfaces/terminal": ["contract", "operations"],
};
// Wiring imports every room, and the package's own description. No row names it, so no room imports it.
mayImport["app"] = [...Object.keys(mayImport), ".."];
/** The order inside a room: an entry imports only entries of earlier rows; those of one row do not know each other. */
const innerOrder: Record<string, readonly (readonly string[])[]> = {
  transport: [
    ["target", "ports", "outputs"],
    ["files"],
    ["options", "sessions", "git", "doctor"],
    ["detached", "result", "shared"],
    ["diff"],
    ["run"],
    ["service"],
  ],
  machine: [
    ["flags", "policy", "state", "output"],
    ["facts", "known-events", "transition"],
    ["evolve", "gate"],
    ["call", "review"],
    ["directive"],
    ["next"],
    ["view"],
    ["rules"],
    ["decide"],
  ],
  gateway: [["rules", "inside"], ["store", "boxes"], ["agent"], ["service"], ["http"], ["serve", "client"]],
};
const allowedPackages: Record<string, readonly string[]> = {
  contract: ["zod"],
  machine: ["zod"],
  patch: ["zod", "micromark", "micromark-util-types", "mdast-util-from-markdown"],
  secrets: ["zod", "re2js"],
  commands: ["zod", "web-tree-sitter"],
  crew: [],
  engine: ["zod"],
};

interface Import {
  file: string;
  room: string;
  spec: string;
  target?: string;
  targetRoom?: string;
}

function files(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return files(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

const isTest = (file: string) => /\.(test|fuzz|crash)\.ts$/.test(file);

function roomOf(file: string): string {
  const parts = relative(join(root, "src"), file).split("/");
  return parts[0] === "surfaces" ? `surfaces/${parts[1]}` : (parts[0] ?? "");
}

const sources = files(join(root, "src")).filter((file) => !isTest(file));
const imports: Import[] = sources.flatMap((file) => {
  const text = readFileSync(file, "utf8");
  const specs = [...text.matchAll(/(?:from|import)\s*\(?\s*["']([^"'\s]+)["']/g)].map(
    (match) => match[1] ?? "",
  );
  return specs.map((spec) => {
    const found: Import = { file: relative(root, file), room: roomOf(file), spec };
    if (spec.startsWith(".")) {
      found.target = resolve(dirname(file), spec);
      found.targetRoom = roomOf(found.target);
    }
    return found;
  });
});

/** The file or folder of a room that a file belongs to, without its ending. */
const entryOf = (room: string, file: string): string =>
  (relative(join(root, "src", room), file).split("/")[0] ?? "").replace(/\.tsx?$/, "");

const tell = (list: Import[]) => list.map((found) => `${found.file} imports ${found.spec}`);

describe("the arrows of the house", () => {
  it("every room is known to the table", () => {
    const rooms = new Set(sources.map(roomOf));
    expect([...rooms].filter((room) => !(room in mayImport))).toEqual([]);
  });

  it("a room imports only the rooms its row names", () => {
    const bad = imports.filter(
      ({ room, targetRoom }) =>
        targetRoom !== undefined && targetRoom !== room && !mayImport[room]?.includes(targetRoom),
    );
    expect(tell(bad)).toEqual([]);
  });

  it.each(Object.entries(innerOrder))("%s keeps the order of its own entries", (room, rows) => {
    const own = sources.filter((file) => roomOf(file) === room).map((file) => entryOf(room, file));
    const known = ["index", ...rows.flat()];
    expect([...new Set(own)].sort()).toEqual(known.sort());
    const rowOf = (entry: string) => rows.findIndex((row) => row.includes(entry));
    const bad = imports.filter(({ file, room: from, target, targetRoom }) => {
      if (from !== room || targetRoom !== room || target === undefined) return false;
      const [entry, used] = [entryOf(room, resolve(root, file)), entryOf(room, target)];
      return entry !== used && entry !== "index" && rowOf(used) >= rowOf(entry);
    });
    expect(tell(bad)).toEqual([]);
  });

  it("no folders import each other, inside a room or between rooms", () => {
    const arrows = imports.flatMap(({ file, target }) =>
      target === undefined ? [] : [{ from: resolve(root, file), to: target }],
    );
    expect(folderKnots(join(root, "src"), arrows)).toEqual([]);
  });

  it("a knot of folders is found, and files that only know each other are none", () => {
    const arrow = (from: string, to: string) => ({ from: `/house/${from}`, to: `/house/${to}` });
    const straight = [
      arrow("room/index.ts", "room/low/a.ts"),
      arrow("room/low/a.ts", "room/shape.ts"),
      arrow("room/shape.ts", "room/other.ts"),
      arrow("room/other.ts", "room/shape.ts"),
    ];
    expect(folderKnots("/house", straight)).toEqual([]);
    const round = [
      ...straight,
      arrow("room/shape.ts", "room/high/b.ts"),
      arrow("room/high/b.ts", "room/low/a.ts"),
    ];
    expect(folderKnots("/house", round)).toEqual(["room: high ⇄ low ⇄ other.ts ⇄ shape.ts"]);
  });

  it("a room is entered by a door (index.ts) only", () => {
    const bad = imports.filter(
      ({ room, target, targetRoom }) =>
        target &&
        target.startsWith(join(root, "src")) &&
        targetRoom !== room &&
        !target.endsWith("/index.ts"),
    );
    expect(tell(bad)).toEqual([]);
  });

  it("the product holds nothing that only tests use", () => {
    const bad = imports.filter(({ target }) => target?.startsWith(join(root, "tests")));
    expect(tell(bad)).toEqual([]);
    const folders = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true });
    expect(folders.filter(({ name }) => name === "fixtures").map(({ parentPath }) => parentPath)).toEqual([]);
  });

  it("the pure rooms import no platform module and only the packages their row names", () => {
    const bad = imports.filter(
      ({ room, spec }) =>
        room in allowedPackages &&
        !spec.startsWith(".") &&
        !allowedPackages[room]?.some((name) => spec === name || spec.startsWith(`${name}/`)),
    );
    expect(tell(bad)).toEqual([]);
  });

  it("the pure rooms read no clock and no randomness", () => {
    const bad = sources
      .filter((file) => [...pure, "engine"].includes(roomOf(file)))
      .filter((file) =>
        /\b(Date\.now|new Date\(\)|Math\.random|performance\.now|crypto\.)/.test(readFileSync(file, "utf8")),
      );
    expect(bad.map((file) => relative(root, file))).toEqual([]);
  });

  it("rooms below the surfaces suggest in data and spell no command", () => {
    const below = sources.filter((file) => ["contract", "machine", "operations"].includes(roomOf(file)));
    const bad = below.filter((file) => {
      const text = readFileSync(file, "utf8").replaceAll(/^\s*(\/\/|\/?\*).*$/gm, "");
      // Examples of a command in an operation's own literal are fixed text; one that names a run is spelled.
      const spelled = /thehood [a-z ]+\$\{/.test(text);
      return spelled || (roomOf(file) === "machine" && /thehood [a-z]|["'` ]--[a-z$]/.test(text));
    });
    expect(bad.map((file) => relative(root, file))).toEqual([]);
  });

  it("the app only wires: it is small, refuses nothing, reads no file and parses nothing", () => {
    const app = sources.filter((file) => roomOf(file) === "app");
    const lines = app.reduce((sum, file) => sum + readFileSync(file, "utf8").split("\n").length, 0);
    expect(lines).toBeLessThanOrEqual(1_200);
    const rules = /\bfail\(|\breadFile|\bJSON\.parse|\.(?:safeP|p)arse\(/;
    expect(app.filter((file) => rules.test(readFileSync(file, "utf8")))).toEqual([]);
    const packages = imports.filter(({ room, spec }) => room === "app" && !/^(?:\.|node:)/.test(spec));
    // The text about `import … from "thehood"` in the library's header is no import.
    expect(tell(packages.filter(({ spec }) => spec !== "thehood"))).toEqual([]);
  });

  it("the environment is read in one place", () => {
    const bad = sources
      // Code that runs inside a sandbox has the environment of the sandbox.
      .filter((file) => roomOf(file) !== "app" && !file.includes("/gateway/inside/"))
      .filter((file) =>
        /\bprocess\.env\b|import\s*\{[^}]*\benv\b[^}]*\}\s*from\s*["'](node:)?process/.test(
          readFileSync(file, "utf8"),
        ),
      );
    expect(bad.map((file) => relative(root, file))).toEqual([]);
  });

  it("no file imports itself in a circle", () => {
    const edges = new Map<string, string[]>();
    for (const file of sources) {
      const text = readFileSync(file, "utf8").replaceAll(/^\s*(import|export)\s+type\b.*$/gm, "");
      const targets = [...text.matchAll(/(?:from|^import)\s*["'](\.[^"']+)["']/gm)].map((match) =>
        resolve(dirname(file), match[1] ?? ""),
      );
      edges.set(file, targets);
    }
    const done = new Set<string>();
    const cycles: string[] = [];
    const walk = (file: string, trail: string[]) => {
      if (trail.includes(file)) {
        cycles.push(
          [...trail.slice(trail.indexOf(file)), file].map((name) => relative(root, name)).join(" → "),
        );
        return;
      }
      if (done.has(file)) return;
      for (const next of edges.get(file) ?? []) walk(next, [...trail, file]);
      done.add(file);
    };
    for (const file of sources) walk(file, []);
    expect(cycles).toEqual([]);
  });

  it("paths named in the documents exist", () => {
    const documents = ["README.md", "ARCHITECTURE.md", "AGENTS.md", "CONTRIBUTING.md"].filter((name) =>
      existsSync(join(root, name)),
    );
    const missing = documents.flatMap((name) =>
      [
        ...readFileSync(join(root, name), "utf8").matchAll(
          /`((?:src|docs|tests|scripts|bench|bin)\/[A-Za-z0-9_./-]*)`/g,
        ),
      ]
        .map((match) => match[1] ?? "")
        .filter((path) => !existsSync(join(root, path)))
        .map((path) => `${name}: ${path}`),
    );
    expect(missing).toEqual([]);
  });
});
