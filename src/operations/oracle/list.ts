// The operations of `oracle`, in the order of its help.
import { browserCheck, browserLogin, browserReport, browserState, browserStop, serve } from "./browser.ts";
import { apply, bundle } from "./local.ts";
import { doctor, mcp, models, runSession } from "./computer.ts";
import { attach, cancel, clear, restart, session, status } from "./sessions.ts";

export const oracleOperations = [
  status,
  session,
  attach,
  cancel,
  restart,
  clear,
  browserLogin,
  browserState,
  browserStop,
  browserCheck,
  browserReport,
  serve,
  models,
  doctor,
  bundle,
  apply,
  mcp,
  runSession,
] as const;
