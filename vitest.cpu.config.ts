import base from "./vitest.config.ts";
const c = base as any;
c.test.setupFiles = [...c.test.setupFiles, "tests/support/zz-cpu.ts"];
export default c;
