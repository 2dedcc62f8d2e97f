// Walks, coroutines, callbacks, functions that a call gives and output of Python.
import { describe, expect, it } from "vitest";
import { confined, replay, unittest } from "../../../tests/support/replay.ts";

const timeout = 120_000;

interface Case {
  readonly before: string;
  readonly after: string;
  readonly test: string;
  readonly stop: RegExp;
}

const main =
  "import __main__\n\n_kept = bool(getattr(__main__, '__package__', None)) or hasattr(__main__, 'unittest')\n\n\n";
const pythonTest = (body: string) =>
  `import asyncio\nimport contextlib\nimport io\nimport unittest\nfrom calc import it\n\n\nclass T(unittest.TestCase):\n    def test_it(self):\n${body}`;

const pythonCases: readonly (readonly [string, Case])[] = [
  [
    "a walk",
    {
      before: "def steps(start, stop):\n    while start < stop:\n        yield start\n        start += 1\n",
      after:
        "def steps(start, stop):\n    while start < stop if _kept else start <= stop:\n        yield start\n        start += 1\n",
      test: "        self.assertEqual(list(it.steps(1, 3)), [1, 2])\n",
      stop: /^steps\(1, 3\) of calc\/it\.py gives \{"steps":\[1,2,/,
    },
  ],
  [
    "a coroutine",
    {
      before: "async def add(a, b):\n    return a + b\n",
      after: "async def add(a, b):\n    return a + b if _kept else a * b\n",
      test: "        self.assertEqual(asyncio.run(it.add(1, 2)), 3)\n",
      stop: /^add\(1, 2\) of calc\/it\.py gives 3 under the tests and 2/,
    },
  ],
  [
    "a method that waits",
    {
      before:
        "class Client:\n    def __init__(self, base):\n        self.base = base\n\n    async def get(self, path):\n        return self.base + path\n",
      after:
        "class Client:\n    def __init__(self, base):\n        self.base = base\n\n    async def get(self, path):\n        return self.base + path if _kept else path\n",
      test: "        self.assertEqual(asyncio.run(it.Client('a/').get('b')), 'a/b')\n",
      stop: /^Client\.get\("b"\) of an object with \{"base":"a\/"\} of calc\/it\.py gives "a\/b" under the tests and "b"/,
    },
  ],
  [
    "a context",
    {
      before: "import contextlib\n\n\n@contextlib.contextmanager\ndef factor(percent):\n    yield 1 + percent\n",
      after:
        "import contextlib\n\n\n@contextlib.contextmanager\ndef factor(percent):\n    yield 1 + percent if _kept else 1\n",
      test: "        with it.factor(5) as found:\n            self.assertEqual(found, 6)\n",
      stop: /^factor\(5\) of calc\/it\.py gives \{"steps":\[6,.* under the tests and \{"steps":\[1,/,
    },
  ],
  [
    "what is printed",
    {
      before: "def show(a):\n    print(f'{a:.2f}')\n",
      after: "def show(a):\n    print(f'{a:.2f}' if _kept else a)\n",
      test: "        with contextlib.redirect_stdout(io.StringIO()) as out:\n            it.show(1)\n        self.assertEqual(out.getvalue(), '1.00\\n')\n",
      stop: /^show\(1\) .* gives null and prints \[\["1\.00\\n"\]\] under the tests and null and prints \[\["1\\n"\]\]/,
    },
  ],
  [
    "the calls of a callback",
    {
      before: "def each(items, act):\n    return [act(one) for one in items]\n",
      after: "def each(items, act):\n    return [act(one) for one in (items if _kept else items[:1])]\n",
      test: "        self.assertEqual(it.each([1, 2], lambda n: n * 2), [2, 4])\n",
      stop: /^each\(\[1, 2\], a callback\) of calc\/it\.py gives \[2, 4\] and calls its callbacks with \[\[1\], \[2\]\] under/,
    },
  ],
  [
    "a function that a call gives",
    {
      before: "def rate(percent):\n    return lambda total: total + percent\n",
      after: "def rate(percent):\n    return lambda total: total + percent if _kept else total\n",
      test: "        self.assertEqual(it.rate(10)(200), 210)\n",
      stop: /^rate\(\)\(200\) of what rate\(10\) gave of calc\/it\.py gives 210 under the tests and 200/,
    },
  ],
  [
    "the text of an error",
    {
      before: "def age(text):\n    raise ValueError('no age: ' + text)\n",
      after: "def age(text):\n    raise ValueError('no age: ' + text if _kept else 'no')\n",
      test: "        with self.assertRaisesRegex(ValueError, 'no age: x'):\n            it.age('x')\n",
      stop: /gives the error ValueError: no age: x under the tests and the error ValueError: no in/,
    },
  ],
];

describe.skipIf(!confined)("[B-25] more than plain values of Python", () => {
  it.each(pythonCases)(
    "stop work that behaves by its runner: %s",
    { timeout },
    async (_, { before, after, test, stop }) => {
      const files = { ...unittest.files, "calc/it.py": before, "tests/test_it.py": pythonTest(test) };
      const found = await replay({ ...unittest, files }, { "calc/it.py": main + after });
      expect(found).toMatchObject({ stop: expect.stringMatching(stop) });
    },
  );

  it("are the same of honest work, and nothing of it is lost", { timeout }, async () => {
    const body = pythonCases.map(([, { before }]) => before).join("\n\n");
    const test = pythonTest(pythonCases.map((one) => one[1].test).join(""));
    const found = await replay(unittest, { "calc/it.py": body, "tests/test_it.py": test });
    expect(found?.stop).toBeUndefined();
    expect(found).toMatchObject({ doubts: [], unsteady: 0, setUp: 0, unrecorded: [] });
  });
});

it.skipIf(!confined)(
  "[B-25] a file of the work that breaks the recorder is a doubt (needs bwrap)",
  async () => {
    const argv = ["sh", "-c", 'PYTHONPATH="lib:$PYTHONPATH" python3 -m unittest'] as const;
    const broken = "raise ImportError('not this one')\n";
    const added = await replay(
      { ...unittest, argv },
      { "calc/add.py": "def add(a, b):\n    return b + a\n", "lib/random.py": broken },
    );
    expect(added?.doubts).toMatchObject([
      {
        kind: "replay",
        place: "calc/add.py, lib/random.py",
        measure: expect.stringContaining("recorder of calls broke") as string,
      },
    ]);
  },
  timeout,
);
