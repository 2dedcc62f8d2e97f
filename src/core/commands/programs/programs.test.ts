import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandClass } from "../../contract/index.ts";
import { loadJudge } from "../../../../tests/support/commands/load.ts";
import { families } from "./programs.ts";
import { type ProgramRow, programTable } from "./table.ts";

const names = Object.values(families).flatMap((family) => Object.keys(family));
const rows: readonly ProgramRow[] = Object.values(programTable).flat();

it("every program belongs to one family only", () => {
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

it("names are names of programs", () => {
  expect(names.filter((name) => !/^[\w.+:[-]+$/.test(name) || name.endsWith("_"))).toEqual([]);
  expect(names.length).toBeGreaterThan(900);
});

it("every row of the table has fields that its kind reads, and names classes that exist", () => {
  const fields: Readonly<Record<ProgramRow["kind"], string>> = {
    fixed: "class why asked",
    reader: "values texts reads writes runs edits skip instead deep recursive namesOnly secondIsWritten",
    wrapper: "values flags skip writes none rights",
    tool: "looking",
    code: "serves",
    writer: "values",
    verbs: "verbs values runValues asks loads none other",
  };
  const wrong = rows.flatMap((row) => {
    const known = `names kind ${fields[row.kind]}`.split(" ");
    const classes = Object.entries(row).flatMap(([field, value]) =>
      field === "verbs"
        ? Object.keys(value as object).map((rule) => rule.replace(/^lists, |, asked$/g, ""))
        : /^(class|none|other)$/.test(field)
          ? [String(value)]
          : [],
    );
    const strange = [
      ...Object.keys(row).filter((field) => !known.includes(field)),
      ...classes.filter((name) => !/^(runs|own|serves)$/.test(name) && !commandClass.safeParse(name).success),
    ];
    return strange.length > 0 ? [`${row.names}: ${strange.join(" ")}`] : [];
  });
  expect(wrong).toEqual([]);
});

it("[S-9] a program that is worse than unknown whatever its words is found also in a line for another machine", async () => {
  const { classify } = await loadJudge();
  const worse = rows.filter((row) => row.kind === "fixed" && /^(destructive|credential_sensitive)$/.test(row.class));
  const milder = worse
    .flatMap((row) => row.names.split(" ").map((name) => [name, row.kind === "fixed" && row.class] as const))
    .filter(([name, kind]) => classify(`ssh host "${name} version"`).class !== kind);
  expect(milder).toEqual([]);
});

it("every program is tried by a line of a corpus", () => {
  const corpora = ["commands", "command-lines", "daily-lines", "worktree-lines", "strangers-free"];
  const files = [...corpora.map((name) => `../../../../tests/corpus/${name}.jsonl`), "../quiet-looking.test.ts"];
  const lines = files.map((file) => readFileSync(join(import.meta.dirname, file), "utf8"));
  const tried = new Set(lines.join("\n").split(/[^\w.+:[-]+/));
  expect(names.filter((name) => !tried.has(name))).toEqual([]);
});

it("[S-9] a program that runs code of the project in every call runs it unasked only in a sandboxed worktree", async () => {
  const { classify } = await loadJudge();
  const code = rows.filter((row) => row.kind === "code").flatMap((row) => row.names.split(" "));
  expect(code.filter((name) => !classify(`${name} src`).gated)).toEqual([]);
  expect(code.filter((name) => classify(`${name} src`, { where: "worktree" }).gated)).toEqual([]);
  expect(code.filter((name) => !classify(`${name} ../x`, { where: "worktree" }).gated)).toEqual([]);
});

it("[S-9] a program that no row names is asked about, except for its help and its version option", async () => {
  const { classify } = await loadJudge();
  expect(["hcloud", "hcloud version", "hcloud server list"].map((line) => classify(line).gated)).toEqual([
    true,
    true,
    true,
  ]);
  expect(classify("hcloud --version").gated).toBe(false);
});
