// What of Go and Rust can be written down.
import { describe, expect, it } from "vitest";
import { literalOf } from "./literal.ts";
import { signaturesIn } from "./signature.ts";

const named = (file: string, text: string) => signaturesIn(file, text).map(({ name }) => name);

describe("[B-25] functions of compiled languages", () => {
  it("public ones with plain types are called, others are left out", () => {
    const go = `package p
func Add(a, b int) int { return a + b }
func Join(parts []string, by string) (text string, err error) { return }
func add(a int) int { return a }
func With(f func(int) int) int { return 0 }
func (t T) Method(a int) int { return a }
func Any(v interface{}) int { return 0 }
func Nothing(a int) { }
// func Comment(a int) int { return a }
`;
    expect(named("p/a.go", go)).toEqual(["Add", "Join"]);
    const rust = `pub fn add(a: i32, mut b: i32) -> i32 { a + b }
fn own(a: i32) -> i32 { a }
pub fn name(s: &str, all: Vec<u8>) -> Result<String, String> { Ok(s.to_string()) }
pub fn any<T>(a: T) -> T { a }
pub fn shape(a: Shape) -> i32 { 0 }
impl X { pub fn method(&self) -> i32 { 0 } }
`;
    expect(named("src/lib.rs", rust)).toEqual(["add", "name"]);
  });

  it("values are literals of their type, or are left out", () => {
    expect(literalOf("go", -1, "int8")).toBe("int8(-1)");
    expect(literalOf("go", 200, "int8")).toBeNull();
    expect(literalOf("go", -1, "uint")).toBeNull();
    expect(literalOf("go", 'a"\n', "string")).toBe('"a\\"\\U0000000a"');
    expect(literalOf("go", [1, 2], "[]int")).toBe("[]int{int(1), int(2)}");
    expect(literalOf("go", { a: 1 }, "map[string]int")).toBe('map[string]int{"a": int(1)}');
    expect(literalOf("rust", 3, "f64")).toBe("(3.0_f64)");
    expect(literalOf("rust", null, "Option<i32>")).toBe("None");
    expect(literalOf("rust", ["a"], "Vec<u8>")).toBeNull();
    expect(literalOf("rust", "é", "String")).toBe('String::from("\\u{e9}")');
  });
});
