// Writes the JSON Schemas from the code that checks by them: what is published, and what every directive carries. Tests
// say when this has to be run.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./lib/run.mjs";

const { resultJsonSchema } = await import("../src/core/contract/transport/schema/index.ts");
const { contractNames, makeResponseJsonSchema } = await import("../src/core/contract/answers/contracts.ts");

const write = (path, schema) => writeFileSync(join(root, path), `${JSON.stringify(schema, null, 2)}\n`);

mkdirSync(join(root, "docs/schemas"), { recursive: true });
write("docs/schemas/result.schema.json", resultJsonSchema());
write(
  "src/core/contract/answers/schemas.json",
  Object.fromEntries(contractNames.map((name) => [name, makeResponseJsonSchema(name)])),
);
