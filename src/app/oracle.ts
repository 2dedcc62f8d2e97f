// The entry of `oracle`.
import { openBrowser } from "./browser.ts";
import { startOracle } from "./oracle/start.ts";

startOracle(openBrowser);
