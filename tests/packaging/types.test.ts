// The declaration file of the library: how it writes types, and that it says the same as the sources.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { API } from "typescript/unstable/sync";
import { describe, expect, it } from "vitest";
import { typesOf } from "../../scripts/build/types.ts";
import { tempFolder } from "../support/temp-folder.ts";

const project = resolve(import.meta.dirname, "../..");

function write(source: string): string {
  const folder = tempFolder("thehood-types-");
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src/entry.ts"), source);
  const compilerOptions = {
    module: "nodenext",
    target: "es2024",
    lib: ["esnext"],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["src/entry.ts"] }));
  return typesOf(folder, "tsconfig.json", "src/entry.ts");
}

/** Checks one file of a project, and not the sources that it imports. */
function problemsIn(folder: string, file: string): readonly string[] {
  const api = new API({ cwd: folder });
  const config = join(folder, "tsconfig.json");
  const checked = api.updateSnapshot({ openProjects: [config] }).getProject(config);
  const problems = checked?.program.getSemanticDiagnostics(join(folder, file)).map(({ text }) => text);
  api.close();
  return problems ?? ["The project cannot be opened"];
}

describe("[B-23] the types of the library", () => {
  it("are plain: what is computed from other types is written as its properties", () => {
    const text = write(`const table = { one: 1, two: "b" } as const;
      type Inferred<T> = { -readonly [K in keyof T]?: T[K] | undefined };
      export type Out = Inferred<typeof table>;
      export interface Absent { readonly a?: string; b: readonly [number, string?]; c?: true | undefined }`);
    expect(text).toContain('one?: 1 | undefined;\n  two?: "b" | undefined;');
    expect(text).toContain("readonly a?: string;\n  b: readonly [number, (string)?];\n  c?: true | undefined;");
  });

  it("name a type that contains itself, and keep a function in a union whole", () => {
    const text = write(`export type Tree = { readonly kids: readonly Tree[] } | "leaf";
      export interface Hooks { run: ((line: string) => void) | null; json: Json }
      type Json = string | Json[] | { [key: string]: Json };`);
    expect(text).toMatch(/export type Tree = .*\{\n\s*readonly kids: ReadonlyArray<Tree>;\n\s*\}/);
    expect(text).toContain("run: ((line: string) => void) | null;");
    expect(text).toMatch(/^type Json = string \| .*Array<Json>/m);
  });

  it("do not take the name of a global type, and refuse what they cannot write", () => {
    const text = write(`interface Promise { readonly mine: number }
      export interface Out { readonly own: Promise; wait(): globalThis.Promise<string> }`);
    expect(text).toContain("readonly own: Promise2;");
    expect(text).toContain("wait(): Promise<string>;");
    expect(() => write("export type Pick1<T> = T extends string ? 1 : 2;")).toThrow("conditional");
  });

  it("are equal to those of the sources for every operation", () => {
    const folder = tempFolder("thehood-types-");
    writeFileSync(
      join(folder, "equal.mts"),
      `import type * as A from "${project}/src/app/library.ts";
      import type * as B from "${project}/dist/index.js";
      type Mutual<X, Y> = [X] extends [Y] ? ([Y] extends [X] ? true : false) : false;
      type Other = { [N in A.OperationName]:
        Mutual<A.InputOfOperation<N>, B.InputOfOperation<N>> extends true
          ? Mutual<A.ResultOfOperation<N>, B.ResultOfOperation<N>> extends true ? never : N
          : N }[A.OperationName];
      export const other: [Other] extends [never] ? true : Other = true;
      export const names: Mutual<A.OperationName, B.OperationName> = true;
      export const events: Mutual<A.RunEvent, B.RunEvent> = true;
      export const options: Mutual<A.HoodOptions, B.HoodOptions> = true;`,
    );
    const compilerOptions = { typeRoots: [join(project, "node_modules/@types")] };
    const config = { extends: join(project, "tsconfig.library.json"), compilerOptions, files: ["equal.mts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    expect(problemsIn(folder, "equal.mts")).toEqual([]);
  });
});
