// Go: a recorder around functions, as one more file of their package, and a program that calls them. Pure.
import { change, type Insertion } from "../../checks/index.ts";
import type { PlannedCall } from "../played.ts";
import { literalOf } from "./literal.ts";
import type { Signature } from "./signature.ts";

/** Lines for the pipe: a struct in JSON, short enough to be written at once. */
const writer = (mark: string, pipe: string): string => `
func line${mark}(v interface{}) {
	b, err := json.Marshal(v)
	if err != nil || len(b) > 3500 {
		return
	}
	out, err := os.OpenFile(${JSON.stringify(pipe)}, os.O_WRONLY, 0)
	if err != nil {
		return
	}
	out.Write(append(b, '\\n'))
	out.Close()
}

func shown${mark}(v interface{}) string {
	if err, is := v.(error); is {
		return "error: " + err.Error()
	}
	return fmt.Sprintf("%#v", v)
}
`;

const imports = 'import (\n\t"encoding/json"\n\t"fmt"\n\t"os"\n)\n';

/** The results of a call as one text. */
const resultsOf = ({ results }: Signature, mark: string): string =>
  results.map((_, at) => `shown${mark}(r${at})`).join(' + ", " + ');
const names = ({ results }: Signature): string => results.map((_, at) => `r${at}`).join(", ");

export const packageOf = (text: string): string | null => /^package\s+(\w+)/m.exec(text)?.[1] ?? null;

/** The file with its functions renamed, and the new file beside it. */
export function recordGo(
  file: { readonly path: string; readonly text: string },
  all: readonly Signature[],
  { mark, pipe }: { readonly mark: string; readonly pipe: string },
): { readonly text: string; readonly beside: string } {
  const renamed = all.map(({ at, name }): Insertion => ({ at: at + name.length, text: mark }));
  const wrappers = all.map((one) => {
    const taken = one.parameters.map(({ name }) => name).join(", ");
    const given = `map[string]interface{}{"m": ${JSON.stringify(file.path)}, "f": "${one.name}", "a": []interface{}{${taken}}, "r": ${resultsOf(one, mark)}}`;
    const before = `args${mark}, _ := json.Marshal([]interface{}{${taken}})`;
    return `func ${one.name}${one.written}{\n\t${before}\n\t${names(one)} := ${one.name}${mark}(${taken})\n\tline${mark}(${given.replace(/"a": \[\]interface\{\}\{[^}]*\}/, `"a": json.RawMessage(args${mark})`)})\n\treturn ${names(one)}\n}\n`;
  });
  const beside = `package ${packageOf(file.text) ?? ""}\n\n${imports}${writer(mark, pipe)}\n${wrappers.join("\n")}`;
  return { text: change(file.text, renamed), beside };
}

/** A program that makes the calls, each twice; null where none can be written down. */
export function playGo(
  calls: readonly PlannedCall[],
  signatures: ReadonlyMap<string, Signature>,
  packages: ReadonlyMap<string, string>,
  { mark, pipe, label }: { readonly mark: string; readonly pipe: string; readonly label: string },
): string | null {
  const used = [...new Set(calls.map(({ m }) => packages.get(m) ?? ""))];
  const lines = calls.flatMap((call) => {
    const one = signatures.get(`${call.m} ${call.f}`);
    const values = one?.parameters.map(({ type }, at) => literalOf("go", call.a[at] ?? null, type)) ?? [null];
    if (!one || values.includes(null)) return [];
    const target = `p${used.indexOf(packages.get(call.m) ?? "")}.${one.name}(${values.join(", ")})`;
    return [`\tcall${mark}(${call.i}, func() string { ${names(one)} := ${target}; return ${resultsOf(one, mark)} })`];
  });
  if (lines.length === 0) return null;
  const loads = used.map((path, at) => `import p${at} ${JSON.stringify(path)}\n`).join("");
  const run = `
func once${mark}(f func() string) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = "panic"
		}
	}()
	return f()
}

func call${mark}(i int, f func() string) {
	first := once${mark}(f)
	line${mark}(map[string]interface{}{"p": ${JSON.stringify(label)}, "i": i, "r": first, "varies": once${mark}(f) != first})
}
`;
  return `package main\n\n${imports}${loads}${writer(mark, pipe)}${run}\nfunc main() {\n${lines.join("\n")}\n\tline${mark}(map[string]interface{}{"p": ${JSON.stringify(label)}, "done": true})\n}\n`;
}
