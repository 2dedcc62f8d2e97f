// Writes the published JSON Schemas from the code that checks by them. A test says when this has to be run.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./lib/bootstrap.mjs";

const { resultJsonSchema } = await import("../src/contract/transport/schema/index.ts");
mkdirSync(join(root, "docs/schemas"), { recursive: true });
writeFileSync(
  join(root, "docs/schemas/result.schema.json"),
  `${JSON.stringify(resultJsonSchema(), null, 2)}\n`,
);
