// The operations of `oracle`, in the order of its help.
import type { AnyOperation } from "../define/index.ts";
import { browserCheck, browserLogin, browserReport, browserState, browserStop } from "./browser.ts";
import type { OracleContext } from "./context.ts";
import { apply, bundle } from "./local.ts";
import { doctor, mcp, models, runSession } from "./computer.ts";
import { attach, cancel, clear, restart, session, status } from "./sessions.ts";

export const oracleOperations: readonly AnyOperation<OracleContext>[] = [
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
  models,
  doctor,
  bundle,
  apply,
  mcp,
  runSession,
];
