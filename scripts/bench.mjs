// npm run bench [-- name…]: every benchmark in bench/, each a program of its own that prints what it measured. `soak` takes
// hours and runs only when it is named; options behind a name are its own (npm run bench -- soak --minutes 10).
import { readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { ensureBuilt, ensurePackages, root, runNode } from "./lib/bootstrap.mjs";
import { ensureSystem } from "./lib/system.mjs";

ensurePackages();
ensureSystem([{ program: "zip", name: "zip" }]);
ensureBuilt();
const all = readdirSync(join(root, "bench"))
  .filter((name) => name.endsWith(".ts"))
  .map((name) => name.slice(0, -3))
  .sort();
const given = process.argv.slice(2);
const first = given.findIndex((word) => word.startsWith("--"));
const [wanted, options] = first < 0 ? [given, []] : [given.slice(0, first), given.slice(first)];
const onlyNamed = ["soak"];
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`bench: there is no ${unknown.join(", ")}. There are: ${all.join(", ")}`);
  process.exit(2);
}
let worst = 0;
for (const name of wanted.length > 0 ? wanted : all.filter((one) => !onlyNamed.includes(one))) {
  console.log(`\n== ${name}`);
  worst = Math.max(worst, runNode(["--expose-gc", join(root, "bench", `${name}.ts`), ...options]));
}
process.exit(worst);
