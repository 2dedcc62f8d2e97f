// The programming interface: what `import … from "thehood"` gives. The build writes its types to dist/types.
export type { RunEvent } from "../contract/index.ts";
export { version } from "./version.ts";
