// Every operation, in the order in which help and the reference pages show them.
// The build writes this list from the files beside it; the order of its lines is kept.
import { checkCommand, checkPath, checkReply, checkRepo, checkSecrets } from "./check/judges.ts";
import { checkPatch, patchApply, patchCheck } from "./check/patch.ts";
import { approve, reject, revise } from "./decide/answer.ts";
import { pr, prWatch } from "./decide/request.ts";
import { runsArchive, runsDelete } from "./decide/retire.ts";
import { tell } from "./decide/tell.ts";
import { abort, commit, keepTests, recheck, take, undo } from "./decide/work.ts";
import { schedule, schedules } from "./fleet/schedule.ts";
import { storeCopy, worker, workers } from "./fleet/worker.ts";
import { gatewayAnswer } from "./gateway/answer.ts";
import { gateway, gatewayDev, gatewaySecrets } from "./gateway/gateway.ts";
import { gatewayLogs, gatewayNew, gatewaySession, gatewaySessions, gatewayStop } from "./gateway/sessions.ts";
import {
  gatewayActions,
  gatewayConfig,
  gatewayDiff,
  gatewayEvidence,
  gatewayLedger,
  gatewaySend,
  gatewaySnapshots,
  gatewayStart,
} from "./gateway/work.ts";
import { mcp, mcpConfig } from "./hosts/mcp.ts";
import { web, webDevices } from "./hosts/web.ts";
import { artifact, artifactPage } from "./read/artifact.ts";
import { attempts } from "./read/attempts.ts";
import { changes, diff, transferPreview } from "./read/change.ts";
import { attach, logs, watch } from "./read/events.ts";
import { approvals, home } from "./read/home.ts";
import { runs, status, top } from "./read/quick.ts";
import { report } from "./read/report.ts";
import { board, gate, show, timeline } from "./read/show.ts";
import { stats } from "./read/stats.ts";
import { verify } from "./read/verify.ts";
import { repoReadFile, repoSearch, repoTree } from "./repo/files.ts";
import { gitDiff, gitStatus } from "./repo/git.ts";
import {
  hoodBrowserCheck,
  hoodBrowserLogin,
  hoodBrowserReport,
  hoodBrowserState,
  hoodBrowserStop,
} from "./setup/browser.ts";
import { checks, checksAdd, checksRemove, checksTest } from "./setup/checks.ts";
import { config, configGet, configSet, configUnset, policy, policySet } from "./setup/config.ts";
import { access, accessRevoke, doctor, init } from "./setup/doctor.ts";
import { notifyTest } from "./setup/notify.ts";
import { recommendLoop } from "./setup/recommend.ts";
import { key, logAccept, logVerify, prune } from "./setup/record.ts";
import { models, roles, rolesAssign, rolesSet, teams, teamsApply } from "./setup/roles.ts";
import { consult, fanout, summon } from "./side-tasks/ask.ts";
import { evidence, exec, reconcile } from "./side-tasks/record.ts";
import { continueRun, loop } from "./start/continue.ts";
import {
  queue,
  queueAdd,
  queueList,
  queuePause,
  queueRemove,
  queueRun,
  queueService,
  queueTop,
  queueWork,
} from "./start/queue.ts";
import { demo, goal, plan, rerun, research, review, run } from "./start/run.ts";

export const operations = [
  run,
  rerun,
  queue,
  queueAdd,
  queueList,
  queuePause,
  queueRemove,
  queueRun,
  queueService,
  queueTop,
  queueWork,
  goal,
  plan,
  research,
  review,
  continueRun,
  loop,
  demo,
  recommendLoop,
  top,
  status,
  attach,
  home,
  web,
  webDevices,
  runs,
  show,
  gate,
  timeline,
  logs,
  watch,
  diff,
  changes,
  artifact,
  artifactPage,
  report,
  evidence,
  board,
  stats,
  verify,
  approvals,
  transferPreview,
  attempts,
  approve,
  revise,
  tell,
  pr,
  recheck,
  reject,
  abort,
  undo,
  commit,
  runsArchive,
  runsDelete,
  keepTests,
  prWatch,
  summon,
  fanout,
  reconcile,
  exec,
  consult,
  checkCommand,
  checkPatch,
  checkReply,
  checkSecrets,
  checkPath,
  checkRepo,
  patchCheck,
  patchApply,
  init,
  doctor,
  checks,
  checksTest,
  checksAdd,
  checksRemove,
  roles,
  rolesSet,
  rolesAssign,
  teams,
  teamsApply,
  models,
  config,
  configGet,
  configSet,
  configUnset,
  policy,
  policySet,
  notifyTest,
  access,
  accessRevoke,
  key,
  hoodBrowserLogin,
  hoodBrowserState,
  hoodBrowserStop,
  hoodBrowserCheck,
  hoodBrowserReport,
  logVerify,
  logAccept,
  prune,
  gateway,
  gatewayNew,
  gatewaySessions,
  gatewaySession,
  gatewayLogs,
  gatewaySend,
  gatewayAnswer,
  gatewayEvidence,
  gatewayDiff,
  gatewaySnapshots,
  gatewayConfig,
  gatewayLedger,
  gatewayActions,
  gatewayStop,
  gatewayStart,
  gatewaySecrets,
  gatewayDev,
  worker,
  workers,
  schedule,
  schedules,
  storeCopy,
  take,
  mcp,
  mcpConfig,
  repoTree,
  repoSearch,
  repoReadFile,
  gitStatus,
  gitDiff,
] as const;
