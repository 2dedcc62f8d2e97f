// Rust: a recorder around functions, in their own file, and an example that calls them. Pure.
import { change, type Insertion } from "../../checks/index.ts";
import type { PlannedCall } from "../played.ts";
import { literalOf } from "./literal.ts";
import type { Signature } from "./signature.ts";

/** One line for the pipe. */
const writer = (mark: string, pipe: string): string => `
fn line_${mark}(text: &str) {
    use std::io::Write;
    if text.len() > 3500 {
        return;
    }
    if let Ok(mut out) = std::fs::OpenOptions::new().append(true).open(${JSON.stringify(pipe)}) {
        let _ = out.write_all(format!("{}\\n", text).as_bytes());
    }
}
`;

/** Values of numbers, texts and lists as Rust prints them are JSON; an absent one is null. */
const shown = ({ name, type }: { readonly name: string; readonly type: string }): string =>
  type.startsWith("Option<")
    ? `${name}.as_ref().map(|v| format!("{:?}", v)).unwrap_or("null".to_string())`
    : `format!("{:?}", ${name})`;

export function recordRust(
  file: { readonly path: string; readonly text: string },
  all: readonly Signature[],
  { mark, pipe }: { readonly mark: string; readonly pipe: string },
): string {
  const renamed = all.map(({ at, name }): Insertion => ({ at: at + name.length, text: `_${mark}` }));
  const wrappers = all.map((one) => {
    const taken = one.parameters.map(({ name }) => name).join(", ");
    const values =
      one.parameters.length === 0 ? "String::new()" : `[${one.parameters.map(shown).join(", ")}].join(",")`;
    return `pub fn ${one.name}${one.written} {
    let args = ${values};
    let made = ${one.name}_${mark}(${taken});
    line_${mark}(&format!("{{\\"m\\":{:?},\\"f\\":{:?},\\"a\\":[{}],\\"r\\":{:?}}}", ${JSON.stringify(file.path)}, "${one.name}", args, format!("{:?}", made)));
    made
}
`;
  });
  return `${change(file.text, renamed)}\n${wrappers.join("\n")}${writer(mark, pipe)}`;
}

/** `src/shapes/round.rs` → `shapes::round`. */
export const moduleOf = (path: string): string =>
  path
    .replace(/^.*?src\//, "")
    .replace(/(?:^|\/)(?:lib|mod)\.rs$|\.rs$/, "")
    .split("/")
    .filter((part) => part !== "")
    .join("::");

/** An example that makes the calls, each twice; null where none can be written down. */
export function playRust(
  calls: readonly PlannedCall[],
  signatures: ReadonlyMap<string, Signature>,
  crate: string,
  { mark, pipe, label }: { readonly mark: string; readonly pipe: string; readonly label: string },
): string | null {
  const lines = calls.flatMap((call) => {
    const one = signatures.get(`${call.m} ${call.f}`);
    const values = one?.parameters.map(({ type }, at) => literalOf("rust", call.a[at] ?? null, type)) ?? [null];
    if (!one || values.includes(null)) return [];
    const path = [crate, moduleOf(call.m), one.name].filter((part) => part !== "").join("::");
    return [`    call_${mark}(${call.i}, || format!("{:?}", ${path}(${values.join(", ")})));`];
  });
  if (lines.length === 0) return null;
  return `${writer(mark, pipe)}
fn call_${mark}(i: i32, f: impl Fn() -> String + std::panic::RefUnwindSafe) {
    let once = || std::panic::catch_unwind(|| f()).unwrap_or("panic".to_string());
    let first = once();
    line_${mark}(&format!("{{\\"p\\":{:?},\\"i\\":{},\\"r\\":{:?},\\"varies\\":{}}}", ${JSON.stringify(label)}, i, first, once() != first));
}

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
${lines.join("\n")}
}
`;
}
