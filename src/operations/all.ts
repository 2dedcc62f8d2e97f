// Every operation, in the order in which help and the reference pages show them.
// The build writes this list from the files beside it; the order of its lines is kept.
import { checkCommand } from "./check/command.ts";
import { patchApply } from "./check/patch-apply.ts";
import { patchCheck } from "./check/patch-check.ts";
import { checkPatch } from "./check/patch.ts";
import { checkPath } from "./check/path.ts";
import { checkReply } from "./check/reply.ts";
import { checkRepo } from "./check/repository.ts";
import { checkSecrets } from "./check/secrets.ts";
import { abort } from "./decide/abort.ts";
import { approve } from "./decide/approve.ts";
import { commit } from "./decide/commit.ts";
import { recheck } from "./decide/recheck.ts";
import { reject } from "./decide/reject.ts";
import { revise } from "./decide/revise.ts";
import { runsArchive } from "./decide/runs-archive.ts";
import { runsDelete } from "./decide/runs-delete.ts";
import { take } from "./decide/take.ts";
import { undo } from "./decide/undo.ts";
import { schedule } from "./fleet/schedule.ts";
import { schedules } from "./fleet/schedules.ts";
import { storeCopy } from "./fleet/store-copy.ts";
import { worker } from "./fleet/worker.ts";
import { workers } from "./fleet/workers.ts";
import { gatewayDev } from "./gateway/dev.ts";
import { gateway } from "./gateway/gateway.ts";
import { gatewayLogs } from "./gateway/logs.ts";
import { gatewayNew } from "./gateway/new.ts";
import { gatewaySecrets } from "./gateway/secrets.ts";
import { gatewaySession } from "./gateway/session.ts";
import { gatewaySessions } from "./gateway/sessions.ts";
import { gatewayStop } from "./gateway/stop.ts";
import { mcpConfig } from "./hosts/mcp-config.ts";
import { mcp } from "./hosts/mcp.ts";
import { web } from "./hosts/web.ts";
import { approvals } from "./read/approvals.ts";
import { artifactPage } from "./read/artifact-page.ts";
import { artifact } from "./read/artifact.ts";
import { board } from "./read/board.ts";
import { changes } from "./read/changes.ts";
import { diff } from "./read/diff.ts";
import { evidence } from "./read/evidence.ts";
import { gate } from "./read/gate.ts";
import { home } from "./read/home.ts";
import { logs } from "./read/logs.ts";
import { report } from "./read/report.ts";
import { runs } from "./read/runs.ts";
import { show } from "./read/show.ts";
import { status } from "./read/status.ts";
import { timeline } from "./read/timeline.ts";
import { top } from "./read/top.ts";
import { transferPreview } from "./read/transfer-preview.ts";
import { verify } from "./read/verify.ts";
import { watch } from "./read/watch.ts";
import { gitDiff } from "./repo/git-diff.ts";
import { gitStatus } from "./repo/git-status.ts";
import { repoReadFile } from "./repo/read-file.ts";
import { repoSearch } from "./repo/search.ts";
import { repoTree } from "./repo/tree.ts";
import { access } from "./setup/access.ts";
import {
  hoodBrowserCheck,
  hoodBrowserLogin,
  hoodBrowserReport,
  hoodBrowserState,
  hoodBrowserStop,
} from "./setup/browser.ts";
import { checksAdd, checksRemove } from "./setup/checks-edit.ts";
import { checksTest } from "./setup/checks-test.ts";
import { checks } from "./setup/checks.ts";
import { configGet } from "./setup/config-get.ts";
import { configSet } from "./setup/config-set.ts";
import { configUnset } from "./setup/config-unset.ts";
import { config } from "./setup/config.ts";
import { doctor } from "./setup/doctor.ts";
import { init } from "./setup/init.ts";
import { key } from "./setup/key.ts";
import { logAccept } from "./setup/log-accept.ts";
import { logVerify } from "./setup/log-verify.ts";
import { models } from "./setup/models.ts";
import { policySet } from "./setup/policy-set.ts";
import { policy } from "./setup/policy.ts";
import { prune } from "./setup/prune.ts";
import { recommendLoop } from "./setup/recommend.ts";
import { rolesAssign } from "./setup/roles-assign.ts";
import { rolesSet } from "./setup/roles-set.ts";
import { roles } from "./setup/roles.ts";
import { teamsApply } from "./setup/teams-apply.ts";
import { teams } from "./setup/teams.ts";
import { exec } from "./side-tasks/exec.ts";
import { fanout } from "./side-tasks/fanout.ts";
import { reconcile } from "./side-tasks/reconcile.ts";
import { summon } from "./side-tasks/summon.ts";
import { consult } from "./start/consult.ts";
import { continueRun } from "./start/continue.ts";
import { demo } from "./start/demo.ts";
import { goal } from "./start/goal.ts";
import { loop } from "./start/loop.ts";
import { plan } from "./start/plan.ts";
import { research } from "./start/research.ts";
import { review } from "./start/review.ts";
import { run } from "./start/run.ts";

export const operations = [
  run,
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
  home,
  web,
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
  verify,
  approvals,
  transferPreview,
  approve,
  recheck,
  reject,
  revise,
  abort,
  undo,
  commit,
  runsArchive,
  runsDelete,
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
  access,
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
  gatewayStop,
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
