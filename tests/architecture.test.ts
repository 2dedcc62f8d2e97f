// The arrows of the house, held as data and checked against the imports.
import { readFileSync, readdirSync, existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { folderKnots } from "./support/folder-knots.ts";

const root = resolve(import.meta.dirname, "..");
/** The wings of the house and what each may import. `app` wires, so it imports every wing and nobody imports it. */
const mayImport: Record<string, readonly string[]> = {
  core: [],
  platform: ["core"],
  workspace: ["core", "platform"],
  gateway: ["core", "platform"],
  oracle: ["core", "platform", "workspace"],
  agents: ["core", "platform", "gateway"],
  operations: ["core"],
  runtime: ["core", "platform", "workspace", "agents", "operations"],
  fleet: ["core", "platform", "workspace", "operations"],
  surfaces: ["core", "platform", "operations"],
};
mayImport["app"] = [...Object.keys(mayImport), ".."];
/** Rooms of other wings that a room may not import although its wing may. */
const stricter: Record<string, readonly string[]> = {
  "surfaces/page": ["core", "operations"],
  "surfaces/argv": ["core", "operations", "platform/system"],
  "surfaces/cli": ["core", "operations"],
  "surfaces/terminal": ["core", "operations"],
  "surfaces/mcp": ["core", "operations", "platform/http"],
};
/** The order inside a folder: an entry imports only entries of earlier rows; those of one row do not import each other. */
const innerOrder: Record<string, readonly (readonly string[])[]> = {
  core: [["contract"], ["machine", "patch", "secrets", "commands"], ["crew"]],
  platform: [["system", "http", "notice"], ["config", "store", "paths", "keychain"], ["git"], ["sandbox"]],
  workspace: [["checkout", "inspect", "evidence", "forge"], ["checks", "judge"], ["replay"]],
  runtime: [["engine", "setup"], ["effects"], ["runs"]],
  surfaces: [
    ["argv", "terminal", "mcp", "web", "page", "library", "host-config"],
    ["cli", "oracle-cli"],
  ],
  oracle: [["bundle", "browser"], ["transport"]],
  "oracle/transport": [
    ["ports", "outputs"],
    ["files"],
    ["options", "sessions", "git", "doctor"],
    ["background", "result", "shared-sessions"],
    ["diff"],
    ["run"],
    ["service"],
  ],
  "core/machine": [
    ["flags", "policy", "state", "decision"],
    ["facts", "known-events", "transition"],
    ["gate"],
    ["evolve"],
    ["call", "review"],
    ["directive"],
    ["next"],
    ["view"],
    ["rules"],
    ["decide"],
  ],
  gateway: [
    ["rules", "in-sandbox"],
    ["store", "sandboxes"],
    ["agent"],
    ["service"],
    ["http"],
    ["process", "client", "save-files"],
  ],
};
/** Wings that are made of rooms; the others are one room each. */
const roomWings = ["core", "platform", "workspace", "runtime", "surfaces", "oracle"];
/** Folders that hold no Node: they compile without its types, and take no package but these. */
const allowedPackages: Record<string, readonly string[]> = {
  "core/contract": ["zod"],
  "core/machine": ["zod"],
  "core/patch": ["zod", "micromark", "micromark-util-types", "mdast-util-from-markdown"],
  "core/secrets": ["zod", "re2js"],
  "core/commands": ["zod", "web-tree-sitter"],
  "core/crew": [],
  "runtime/engine": ["zod"],
};

interface Import {
  file: string;
  wing: string;
  spec: string;
  target?: string;
  targetWing?: string;
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

/** The wing of a file; `..` for what lies outside of src/. */
const wingOf = (file: string): string => relative(join(root, "src"), file).split("/")[0] ?? "";

/** Wing and room of a file. */
const roomOf = (file: string): string => relative(join(root, "src"), file).split("/").slice(0, 2).join("/");

const isBelow = (file: string, folder: string): boolean => file.startsWith(`${join(root, "src", folder)}/`);

const sources = files(join(root, "src")).filter((file) => !isTest(file));
const imports: Import[] = sources.flatMap((file) => {
  const text = readFileSync(file, "utf8");
  const specs = [...text.matchAll(/(?:from|import)\s*\(?\s*["']([^"'\s]+)["']/g)].map((match) => match[1] ?? "");
  return specs.map((spec) => {
    const found: Import = { file: relative(root, file), wing: wingOf(file), spec };
    if (spec.startsWith(".")) {
      found.target = resolve(dirname(file), spec);
      found.targetWing = wingOf(found.target);
    }
    return found;
  });
});

/** The file or folder inside a folder that a file belongs to, without its ending. */
const entryOf = (room: string, file: string): string =>
  (relative(join(root, "src", room), file).split("/")[0] ?? "").replace(/\.tsx?$/, "");

const tell = (list: Import[]) => list.map((found) => `${found.file} imports ${found.spec}`);

describe("the arrows of the house", () => {
  it("the house has eleven wings, and the table knows them all", () => {
    expect([...new Set(sources.map(wingOf))].sort()).toEqual(Object.keys(mayImport).sort());
    expect(Object.keys(mayImport)).toHaveLength(11);
  });

  it("a wing imports only the wings its row names", () => {
    const bad = imports.filter(
      ({ wing, targetWing }) =>
        targetWing !== undefined && targetWing !== wing && !mayImport[wing]?.includes(targetWing),
    );
    expect(tell(bad)).toEqual([]);
  });

  it.each(Object.entries(stricter))("%s imports only what its own row names", (folder, rows) => {
    const bad = imports.filter(
      ({ file, target, wing, targetWing }) =>
        isBelow(resolve(root, file), folder) &&
        target !== undefined &&
        targetWing !== wing &&
        !rows.some((row) => isBelow(target, row)),
    );
    expect(tell(bad)).toEqual([]);
  });

  it.each(Object.entries(innerOrder))("%s keeps the order of its own entries", (folder, rows) => {
    const own = sources.filter((file) => isBelow(file, folder)).map((file) => entryOf(folder, file));
    const known = [...(own.includes("index") ? ["index"] : []), ...rows.flat()];
    expect([...new Set(own)].sort()).toEqual(known.sort());
    const rowOf = (entry: string) => rows.findIndex((row) => row.includes(entry));
    const bad = imports.filter(({ file, target }) => {
      const from = resolve(root, file);
      if (target === undefined || !isBelow(from, folder) || !isBelow(target, folder)) return false;
      const [entry, used] = [entryOf(folder, from), entryOf(folder, target)];
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
    const round = [...straight, arrow("room/shape.ts", "room/high/b.ts"), arrow("room/high/b.ts", "room/low/a.ts")];
    expect(folderKnots("/house", round)).toEqual(["room: high ⇄ low ⇄ other.ts ⇄ shape.ts"]);
  });

  it("a room of another wing is entered by a door (index.ts) only", () => {
    const bad = imports.filter(
      ({ file, target }) =>
        target?.startsWith(join(root, "src")) &&
        roomOf(target) !== roomOf(resolve(root, file)) &&
        wingOf(target) !== "app" &&
        !(wingOf(target) === wingOf(resolve(root, file)) && !roomWings.includes(wingOf(target))) &&
        !target.endsWith("/index.ts"),
    );
    expect(tell(bad)).toEqual([]);
  });

  it("an index.ts only forwards", () => {
    const forward = /export\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s+from\s+"[^"]+";/g;
    const comment = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
    const bad = sources
      .filter((file) => file.endsWith("/index.ts"))
      .filter((file) => readFileSync(file, "utf8").replaceAll(comment, "").replaceAll(forward, "").trim() !== "");
    expect(bad.map((file) => relative(root, file))).toEqual([]);
  });

  it("the product holds nothing that only tests use", () => {
    const bad = imports.filter(({ target }) => target?.startsWith(join(root, "tests")));
    expect(tell(bad)).toEqual([]);
    const folders = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true });
    expect(folders.filter(({ name }) => name === "fixtures").map(({ parentPath }) => parentPath)).toEqual([]);
  });

  it("the pure rooms import no platform module and only the packages their row names", () => {
    const bad = imports.filter(
      ({ file, spec }) =>
        roomOf(resolve(root, file)) in allowedPackages &&
        !spec.startsWith(".") &&
        !allowedPackages[roomOf(resolve(root, file))]?.some((name) => spec === name || spec.startsWith(`${name}/`)),
    );
    expect(tell(bad)).toEqual([]);
  });

  it("the pure rooms read no clock and no randomness", () => {
    const bad = sources
      .filter((file) => roomOf(file) in allowedPackages)
      .filter((file) =>
        /\b(Date\.now|new Date\(\)|Math\.random|performance\.now|crypto\.)/.test(readFileSync(file, "utf8")),
      );
    expect(bad.map((file) => relative(root, file))).toEqual([]);
  });

  it("rooms below the surfaces suggest in data and spell no command", () => {
    const below = sources.filter(
      (file) => ["core/contract", "core/machine"].includes(roomOf(file)) || wingOf(file) === "operations",
    );
    const bad = below.filter((file) => {
      const text = readFileSync(file, "utf8").replaceAll(/^\s*(\/\/|\/?\*).*$/gm, "");
      // Examples of a command in an operation's own literal are fixed text; one that names a run is spelled.
      const spelled = /thehood [a-z ]+\$\{/.test(text);
      return spelled || (roomOf(file) === "core/machine" && /thehood [a-z]|["'` ]--[a-z$]/.test(text));
    });
    expect(bad.map((file) => relative(root, file))).toEqual([]);
  });

  it("surfaces call no handler: `perform` is the one way in for every door of both programs", () => {
    const bad = sources
      .filter((file) => ["surfaces", "app"].includes(wingOf(file)))
      .filter((file) => /\.handle\(/.test(readFileSync(file, "utf8")));
    expect(bad.map((file) => relative(root, file))).toEqual([]);
  });

  it("the app only wires: it is small, refuses nothing, reads no file and parses nothing", () => {
    const app = sources.filter((file) => wingOf(file) === "app");
    const lines = app.reduce((sum, file) => sum + readFileSync(file, "utf8").split("\n").length, 0);
    expect(lines).toBeLessThanOrEqual(1_200);
    const rules = /\bfail\(|\breadFile|\bJSON\.parse|\.(?:safeP|p)arse\(/;
    expect(app.filter((file) => rules.test(readFileSync(file, "utf8")))).toEqual([]);
    const packages = imports.filter(({ wing, spec }) => wing === "app" && !/^(?:\.|node:)/.test(spec));
    // The text about `import … from "thehood"` in the library's header is no import.
    expect(tell(packages.filter(({ spec }) => spec !== "thehood"))).toEqual([]);
  });

  it("the environment is read in one place", () => {
    const bad = sources
      // Code that runs inside a sandbox has the environment of the sandbox.
      .filter((file) => wingOf(file) !== "app" && !file.includes("/gateway/in-sandbox/"))
      .filter((file) =>
        /\bprocess\.env\b|import\s*\{[^}]*\benv\b[^}]*\}\s*from\s*["'](node:)?process/.test(readFileSync(file, "utf8")),
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
        cycles.push([...trail.slice(trail.indexOf(file)), file].map((name) => relative(root, name)).join(" → "));
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
