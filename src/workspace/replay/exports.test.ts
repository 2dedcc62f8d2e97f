import { describe, expect, it } from "vitest";
import { classesOf, exportsOf } from "./exports.ts";
import { type Depth, instrument, isModuleText } from "./instrument.ts";

const names = (text: string) =>
  exportsOf(text).names.map(({ exported, local }) => (exported === local ? local : `${local} as ${exported}`));

describe("[B-25] exports that can be recorded", () => {
  it.each([
    ["export function add(a, b) { return a + b; }\n", ["add"]],
    ["export async function* walk() {}\n", ["walk"]],
    ["export const add = (a, b) => a + b;\n", ["add"]],
    ["export const add: Add = (a: number, b: number): number => a + b;\n", ["add"]],
    ["export const { add, sub: minus } = instance.exports;\n", ["add", "minus"]],
    ["function add() {}\nconst sub = () => 1;\nexport { add, sub as minus };\n", ["add", "sub as minus"]],
    ["export default function add() {}\n", ["add as default"]],
    ["const add = () => 1;\nexport default add;\n", ["whatIsTheDefault$ as default"]],
    [
      "export function f(a: string): string;\nexport function f(a: number): number;\nexport function f(a: unknown) { return a; }\n",
      ["f"],
    ],
  ])("finds those of %j", (text, found) => {
    expect(names(text)).toEqual(found);
  });

  it.each([
    ["export const one = 1;\n"],
    ["export const list = [add];\n"],
    ["export class Cart {}\n"],
    ["export let current = () => 1;\n"],
    ["export const a = make(), b = make();\n"],
    ["export { add } from './other.js';\n"],
    ["export * from './other.js';\n"],
    ["export type Add = () => void;\n"],
    ["// export const add = () => 1;\n"],
    ["const text = `\nexport const add = () => 1;\n`;\n"],
    ["class Cart {}\nlet total = 0;\nexport { Cart, total };\n"],
  ])("leaves %j as it is", (text) => {
    expect(exportsOf(text)).toEqual({ names: [], changes: [] });
  });

  it("keeps in its list what is not recorded", () => {
    const { names: found, changes } = exportsOf("class Cart {}\nfunction add() {}\nexport { Cart, add };\n");
    expect(found).toEqual([{ exported: "add", local: "add", early: true }]);
    expect(changes.map(({ text }) => text)).toEqual(["export { Cart }"]);
  });
});

const texts = {
  values: "VALUES",
  record: "RECORD",
  recordClass: "CLASSES",
  recordInput: "INPUT",
  recordResult: "RESULT",
};
const put = (path: string, text: string, depth: Depth = "functions") =>
  instrument({ path, text, pipe: "/p", mark: "$1", depth }, texts);

describe("[B-25] the recorder in a module", () => {
  it("goes before the first statement and behind the last, and keeps what has to come first", () => {
    expect(
      put("a.js", "#!/usr/bin/env node\n'use strict';\nexport function add() {}\nexport const sub = () => 1;\n"),
    ).toBe(
      [
        "#!/usr/bin/env node\n'use strict';\n// @ts-nocheck",
        'import * as fs$1 from "node:fs"; const w$1 = (RECORD)(fs$1, "/p", "a.js", (VALUES), {  }); var r0$1 = w$1("add", add);',
        "function add() {}\nconst sub = () => 1;\n",
        'var r1$1 = w$1("sub", sub);',
        "export { r0$1 as add, r1$1 as sub };\n",
      ].join("\n"),
    );
  });

  it("gives the name of a class another value, where methods are recorded", () => {
    const text = "export class Cart {}\n";
    expect(put("a.js", text)).toBe(null);
    expect(put("a.js", text, "classes")?.split("\n")).toEqual([
      "// @ts-nocheck",
      'import * as fs$1 from "node:fs"; const w$1 = (RECORD)(fs$1, "/p", "a.js", (VALUES), { classes: (CLASSES) }); ',
      "export class Cart {}",
      "",
      'Cart = w$1("Cart", Cart);',
      "export {  };",
      "",
    ]);
  });

  it.each([
    ["export class Cart extends Box<Item> {}\nexport abstract class Shape {}\n", ["Cart", "Shape"]],
    ["export default class Cart {}\n", ["Cart as default"]],
    ["class Cart {}\nclass Own {}\nexport { Cart as Basket };\n", ["Cart as Basket"]],
    ["export default class extends Box {}\nexport const Cart = class {};\n// export class No {}\n", []],
    ["export class Cart {}\nexport { Cart };\n", ["Cart"]],
  ])("finds the classes of %j", (text, found) => {
    const names = classesOf(text).map(({ exported, local }) =>
      exported === local ? local : `${local} as ${exported}`,
    );
    expect(names).toEqual(found);
  });

  it("tells modules from scripts by their ending and their text", () => {
    expect(isModuleText("a.mjs", "")).toBe(true);
    expect(isModuleText("a.js", "import('x');\nmodule.exports = 1;\n")).toBe(false);
    expect(isModuleText("a.ts", "export const a = 1;\n")).toBe(true);
    expect(put("a.cjs", "exports.add = (a) => a;\n")).toContain('require("node:fs")');
  });

  it.each([
    ["a.d.ts", "export function add(): void;\n"],
    ["a.js", "start();\n"],
    ["a.js", "export const one = 1;\n"],
  ])("is not put into %s: %j", (path, text) => {
    expect(put(path, text)).toBe(null);
  });
});
