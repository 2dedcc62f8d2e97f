import { historiesSuite } from "./histories-suite.ts";

historiesSuite(209);
