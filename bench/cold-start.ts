// What a command costs before it does anything: against a bare Node of the same version.
import { join } from "node:path";
import { compare, report } from "./lib/measure.ts";

const bin = (name: string) => join(import.meta.dirname, "..", "bin", `${name}.js`);
report(
  compare(
    [
      { name: "node -e 0", argv: [process.execPath, "-e", "0"] },
      { name: "thehood --help", argv: [process.execPath, bin("thehood"), "--help"] },
      { name: "oracle --help", argv: [process.execPath, bin("oracle"), "--help"] },
    ],
    21,
  ),
  { "thehood --help": 1.6, "oracle --help": 1.6 },
);
