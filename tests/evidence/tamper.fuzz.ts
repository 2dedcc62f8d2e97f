import { tamperSuite } from "./tamper-suite.ts";

tamperSuite({ tamperings: 1_008, cleanLogs: 1_000, runsInAStore: 50 });
