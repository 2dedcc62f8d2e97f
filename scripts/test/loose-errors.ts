// Tells how many errors belonged to no test: the report of the results does not name them, and they fail the run all the same.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export const looseErrorsFile = join(import.meta.dirname, "../../.build/loose-errors");

export default class LooseErrors {
  onTestRunEnd(_modules: unknown, errors: readonly unknown[]): void {
    writeFileSync(looseErrorsFile, String(errors.length));
  }
}
