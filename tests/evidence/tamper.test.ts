import { tamperSuite } from "./tamper-suite.ts";

tamperSuite({ tamperings: 48, cleanLogs: 20, runsInAStore: 10 });
