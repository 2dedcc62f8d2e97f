// The SDK of a vendor: a package that the user installs, loaded with the first box. It is looked for in the gateway's own
// folder and beside our installation, never in the repository that is worked on.
import { createRequire } from "node:module";
import { join } from "node:path";
import { fail } from "../../../core/contract/index.ts";

export function loadSdk<T extends object>(folder: string, name: string, wanted: keyof T & string): T {
  const require = createRequire(join(import.meta.dirname, "sdk.js"));
  const remedy = `Install it for the gateway: npm install --prefix ${folder} ${name}`;
  const words = name.split("@")[0] ?? name;
  let place: string;
  try {
    place = require.resolve(words, { paths: [folder, import.meta.dirname] });
  } catch {
    return fail("provider_unavailable", `The package ${words} was not found.`, { remedy });
  }
  const sdk = require(place) as T;
  if (!(wanted in sdk))
    fail(
      "provider_unavailable",
      `The package ${words} at ${place} has no ${wanted}: it is another package.`,
      {
        remedy,
      },
    );
  return sdk;
}
