// The programming interface of `import … from "thehood"`. The build writes its types to dist/index.d.ts.
import { createHood, type Hood, type HoodOptions } from "../surfaces/library/index.ts";
import { createPorts } from "./ports.ts";

export type { RunEvent } from "../core/contract/index.ts";
export { version } from "./environment.ts";
export type {
  Hood,
  HoodOptions,
  InputOfOperation,
  OperationName,
  ResultOfOperation,
} from "../surfaces/library/index.ts";

/** Opens the runs of a repository for a program. */
export const openHood = (options: HoodOptions): Hood => createHood(createPorts(), options);
