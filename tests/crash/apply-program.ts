// Test only: applies one patch to one checkout, as a command would, and says what came of it.
import { readFileSync } from "node:fs";
import process from "node:process";
import { applyPatch } from "../../src/workspace/checkout/apply/index.ts";
import { requireRepository } from "../../src/platform/git/index.ts";
import { binaryTools } from "../../src/platform/system/index.ts";

const [dir = "", file = ""] = process.argv.slice(2);
const options = { approveProtected: true, binary: binaryTools };
const done = await applyPatch(requireRepository(dir), { patch: readFileSync(file), options });
process.stdout.write(`${done.outcome}\n`);
