// The cost of a start, before a command does anything, against a bare Node of the same version.
import { program } from "./lib/desk.ts";
import { compare, report } from "./lib/measure.ts";

report(
  compare(
    [
      { name: "node -e 0", argv: [process.execPath, "-e", "0"] },
      { name: "thehood --help", argv: [process.execPath, program("thehood"), "--help"] },
      { name: "oracle --help", argv: [process.execPath, program("oracle"), "--help"] },
    ],
    21,
  ),
  { "thehood --help": 1.6, "oracle --help": 1.6 },
);
