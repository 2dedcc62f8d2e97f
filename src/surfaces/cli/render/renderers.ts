// The renderers of results, by the name of their operation. A result without one is shown as data.
import type { operations } from "../../../operations/index.ts";
import type { Renderer } from "../../argv/index.ts";

type OperationName = (typeof operations)[number]["name"];
type Loader = () => Promise<Renderer>;

const run = () => import("./run.ts");
const look = () => import("./read.ts");
const parts = () => import("./parts.ts");
const beside = () => import("./side-task.ts");
const judge = () => import("./judge.ts");
const setup = () => import("./setup.ts");
const short = () => import("./short-results.ts");

const moved: Loader = async () => (await run()).moved;

const queued: Loader = async () => (await import("./queue.ts")).queued;

const loaders: Readonly<Partial<Record<OperationName, Loader>>> = {
  run: moved,
  rerun: moved,
  goal: moved,
  plan: moved,
  research: moved,
  review: moved,
  continue: moved,
  recheck: moved,
  loop: moved,
  queue: queued,
  "queue list": queued,
  "queue add": queued,
  "queue top": queued,
  "queue remove": queued,
  "queue pause": queued,
  "queue run": queued,
  attempts: async () => (await import("./attempts.ts")).attempts,
  "queue service": async () => (await import("./queue.ts")).unit,
  demo: async () => (await import("./demo.ts")).demo,
  top: async () => (await import("./list.ts")).top,
  status: async () => (await import("./list.ts")).status,
  runs: async () => (await import("./list.ts")).runs,
  show: async () => (await look()).show,
  gate: async () => (await parts()).gate,
  timeline: async () => (await parts()).timeline,
  changes: async () => (await parts()).changes,
  "agent-board": async () => (await parts()).agents,
  "transfer preview": async () => (await parts()).transfer,
  home: async () => (await parts()).home,
  approvals: async () => (await parts()).approvals,
  logs: async () => (await look()).logs,
  watch: async () => (await import("./watch.ts")).watch,
  attach: async () => (await import("./watch.ts")).watch,
  diff: async () => (await look()).diff,
  artifact: async () => (await look()).artifact,
  report: async () => (await look()).report,
  evidence: async () => (await beside()).sideTask,
  approve: async () => (await run()).decided,
  reject: async () => (await run()).decided,
  revise: async () => (await run()).decided,
  abort: async () => (await run()).aborted,
  undo: async () => (await run()).undone,
  summon: async () => (await beside()).sideTask,
  fanout: async () => (await beside()).sideTask,
  reconcile: async () => (await beside()).sideTask,
  exec: async () => (await beside()).executed,
  "check command": async () => (await judge()).command,
  "check patch": async () => (await judge()).patch,
  "check reply": async () => (await judge()).reply,
  "check secrets": async () => (await judge()).secrets,
  "check path": async () => (await judge()).path,
  "check repo": async () => (await judge()).repository,
  "patch check": async () => (await judge()).patch,
  "patch apply": async () => (await judge()).applied,
  take: async () => (await judge()).applied,
  "notify test": async () => (await import("./notices.ts")).sentNotices,
  "web devices": async () => (await import("./devices.ts")).devices,
  workers: async () => (await import("./fleet.ts")).workers,
  schedules: async () => (await import("./fleet.ts")).schedules,
  mcp: async () => (await import("./hosts.ts")).served,
  "mcp config": async () => (await import("./hosts.ts")).configured,
  init: async () => (await setup()).init,
  doctor: async () => (await import("./doctor-text.ts")).doctor,
  checks: async () => (await import("./checks.ts")).checks,
  "checks test": async () => (await import("./checks.ts")).tested,
  "checks add": async () => (await import("./checks.ts")).edited,
  "checks remove": async () => (await import("./checks.ts")).edited,
  roles: async () => (await setup()).roles,
  "roles set": async () => (await setup()).rolesSet,
  teams: async () => (await setup()).teams,
  "teams apply": async () => (await setup()).roles,
  models: async () => (await setup()).models,
  config: async () => (await setup()).config,
  "config set": async () => (await setup()).changed,
  "config unset": async () => (await setup()).changed,
  policy: async () => (await short()).policy,
  "policy set": async () => (await setup()).policySet,
  access: async () => (await setup()).access,
  "access revoke": async () => (await setup()).accessRevoke,
  "log verify": async () => (await import("./keep.ts")).verified,
  verify: async () => (await import("./keep.ts")).commits,
  "keep-tests": async () => (await import("./keep.ts")).keptTests,
  "pr watch": async () => (await import("./keep.ts")).checkedByCi,
  pr: async () => (await import("./keep.ts")).requested,
  key: async () => (await import("./keep.ts")).publicKey,
  prune: async () => (await import("./keep.ts")).pruned,
  stats: async () => (await import("./stats.ts")).stats,
  commit: async () => (await short()).committed,
  "runs archive": async () => (await short()).removedRuns,
  "runs delete": async () => (await short()).removedRuns,
  "log accept": async () => (await short()).acceptedLogs,
  tell: async () => (await short()).messageResult,
  "recommend-loop": async () => (await short()).recommended,
  "config get": async () => (await short()).configValue,
  "browser status": async () => (await short()).browserStatus,
  "browser stop": async () => (await short()).browserStopped,
};

const byName: Readonly<Record<string, Loader | undefined>> = loaders;

export const rendererOf = async (operation: string): Promise<Renderer | undefined> =>
  operation.startsWith("gateway ") ? (await import("./gateway.ts")).gatewayRenderers[operation] : byName[operation]?.();
