// [B-22] A sample of the engine's scenarios on the shared store; `scenarios.crash.ts` has all of them.
import "./scenario-server.ts";
import "../scenarios/happy-path.test.ts";
import "../scenarios/liars.test.ts";
import "../scenarios/undo.test.ts";
