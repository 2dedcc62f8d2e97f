// Small projects in other languages, each with a version whose suite is red.
interface Own {
  readonly name: string;
  /** Commands that must work for its checks to run. */
  readonly needs: readonly (readonly [program: string, ...words: string[]])[];
  readonly files: Readonly<Record<string, string>>;
  /** Files that make one test fail, and the words of the failure. */
  readonly failing: Readonly<Record<string, string>>;
  readonly failure: RegExp;
}

const python = (sum: number) => `from adder import add


def test_adds():
    assert add(1, 2) == ${sum}


def test_colour_and_place(monkeypatch):
    import os

    assert "NO_COLOR" not in os.environ
    assert "/." not in os.getcwd()
`;

const go = (sum: number) => `package adder

import (
	"os"
	"strings"
	"testing"
)

func TestAdds(t *testing.T) {
	if Add(1, 2) != ${sum} {
		t.Fatalf("the sum is %d", Add(1, 2))
	}
}

func TestPlace(t *testing.T) {
	dir, _ := os.Getwd()
	if strings.Contains(dir, "/.") {
		t.Fatal(dir)
	}
}
`;

const rust = (sum: number) => `pub fn add(a: i64, b: i64) -> i64 {
    a + b
}

#[cfg(test)]
mod tests {
    use super::add;

    #[test]
    fn adds() {
        assert_eq!(add(1, 2), ${sum});
    }
}
`;

export const own: readonly Own[] = [
  {
    name: "Python",
    needs: [["python3", "-m", "pytest", "--version"]],
    files: {
      "pyproject.toml":
        '[project]\nname = "adder"\nversion = "1.0.0"\n\n[tool.pytest.ini_options]\npythonpath = ["src"]\n',
      "src/adder.py": "def add(a, b):\n    return a + b\n",
      "tests/test_adder.py": python(3),
    },
    failing: { "tests/test_adder.py": python(4) },
    failure: /assert 3 == 4|test_adds/,
  },
  {
    name: "Go",
    needs: [["go", "version"]],
    files: {
      "go.mod": "module example.com/adder\n\ngo 1.19\n",
      "adder.go": "package adder\n\nfunc Add(a, b int) int { return a + b }\n",
      "adder_test.go": go(3),
    },
    failing: { "adder_test.go": go(4) },
    failure: /the sum is 3|TestAdds/,
  },
  {
    name: "Rust",
    needs: [["cargo", "--version"]],
    files: {
      "Cargo.toml": '[package]\nname = "adder"\nversion = "1.0.0"\nedition = "2021"\n',
      "Cargo.lock": 'version = 3\n\n[[package]]\nname = "adder"\nversion = "1.0.0"\n',
      ".gitignore": "target\n",
      "src/lib.rs": rust(3),
    },
    failing: { "src/lib.rs": rust(4) },
    failure: /tests::adds|left: 3/,
  },
];
