// `oracle` with a scripted page for an engine: the program that the tests start where they play a page.
import process from "node:process";
import { openBrowser } from "../../src/app/browser.ts";
import { startOracle } from "../../src/app/oracle/start.ts";
import { scriptedPage } from "../support/scripted-page.ts";

const script = process.env["ORACLE_BROWSER_DOUBLE"];
startOracle(script ? () => Promise.resolve(scriptedPage(script)) : openBrowser);
