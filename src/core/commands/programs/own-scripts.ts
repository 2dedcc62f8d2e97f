// Scripts that the project's own base commit holds, unchanged: running one is the same as running a script of package.json.
import type { Arg, CommandCall } from "../call.ts";
import { isLiteral } from "../lexer/pattern.ts";

/** Words by which a script says that it does more than build, test or look. */
const reachesFar =
  /(^|[^a-z])(deploy|publish|release|upload|push|install|uninstall|setup|bootstrap|clean|clear|drop|flush|reset|destroy|purge|wipe|delete|remove|prune|kill|stop|migrate|rollback|seed|login|sync|fetch|download|update|upgrade|shell|dbshell|exec|eval|serve|server|runserver|start|backup|restore|rotate|provision)([^a-z]|$)/i;

/** `isAway` says whether a path leads out of the workspace. */
export function runsOwnScript(call: CommandCall, script: Arg, args: readonly Arg[]): boolean {
  if (!isLiteral(script.text) || call.baseFile(script.text) !== "same") return false;
  if (reachesFar.test(script.text.slice(script.text.lastIndexOf("/") + 1))) return false;
  if (
    args.some(
      ({ text }) => !isLiteral(text) || reachesFar.test(text) || call.isAway(text.replace(/^[^=]*=/, "")),
    )
  )
    return false;
  args.forEach((arg) => call.read(arg));
  call.report(
    "local_write",
    `${script.text} is a script of the project, as its last commit holds it`,
    script,
  );
  return true;
}
