// The entry of `oracle`.
import { openBrowser } from "./browser/open.ts";
import { startOracle } from "./oracle/start.ts";

startOracle(openBrowser);
