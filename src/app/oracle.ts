// The entry of `oracle`.
import { showStoredHelp } from "./stored-help.ts";

async function start(): Promise<void> {
  const [{ openBrowser }, { startOracle }] = await Promise.all([import("./browser.ts"), import("./oracle/start.ts")]);
  startOracle(openBrowser);
}

if (!showStoredHelp("oracle")) void start();
