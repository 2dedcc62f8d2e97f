// [B-22] All scenarios of the engine on the shared store.
import "./scenario-server.ts";
import "../scenarios/acceptance.test.ts";
import "../scenarios/agent-writes.test.ts";
import "../scenarios/answers-and-records.test.ts";
import "../scenarios/fanout.test.ts";
import "../scenarios/happy-path.test.ts";
import "../scenarios/hostile.test.ts";
import "../scenarios/human-decides.test.ts";
import "../scenarios/late.test.ts";
import "../scenarios/liars.test.ts";
import "../scenarios/outside.test.ts";
import "../scenarios/page.test.ts";
import "../scenarios/patch.test.ts";
import "../scenarios/reliability.test.ts";
import "../scenarios/sabotage.test.ts";
import "../scenarios/undo.test.ts";
import "../scenarios/weaken.test.ts";
