// The entry of `thehood`.
import { showStoredHelp } from "./stored-help.ts";

async function start(): Promise<void> {
  (await import("./thehood/start.ts")).startThehood();
}

if (!showStoredHelp("thehood")) void start();
