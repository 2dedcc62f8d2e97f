// The programming interface: what `import … from "thehood"` gives. Its types are written to dist/types by the build.
export { version } from "./version.ts";
