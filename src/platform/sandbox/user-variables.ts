// The variables of the user that a check may see, so that it runs as it would for the user: no secrets, no way to a
// service of the session, and nothing that tells of this program or of a runner around it.
import { findSecrets } from "../../core/secrets/index.ts";

const secretName =
  /(?:^|_)(?:TOKENS?|SECRETS?|KEYS?|PASS|PASSWD|PASSWORD|PASSPHRASE|PWD|CREDENTIALS?|CREDS?|AUTH|COOKIES?|SESSION|PAT|DSN|PRIVATE|SIGNING|WEBHOOK|PROXY|SOCK|BUS|RUNTIME)(?:_|$)|(?:TOKEN|SECRET|PASSWORD|APIKEY|_URI)$/i;

const tellsOfJudge =
  /^(?:THEHOOD|ORACLE|BWRAP|npm_|NODE_TEST_CONTEXT|NODE_COMPILE_CACHE|VITEST|JEST_WORKER_ID|PYTEST_|RUST_TEST|GIT_|INIT_CWD$|PWD$|OLDPWD$|SHLVL$|COLOR$|_$|GOWORK$|PYTHONDONTWRITEBYTECODE$)/i;

/** A place of ours in a value tells as much as a name. */
const ownPlace = /thehood/i;

const isShared = (name: string, value: string): boolean =>
  !secretName.test(name) &&
  !tellsOfJudge.test(name) &&
  (name === "PATH" || !ownPlace.test(value)) &&
  !/:\/\/[^\s/]*@/.test(value) &&
  findSecrets(`${name}=${value}`).length === 0;

export function userVariables(
  host: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(host).flatMap(([name, value]) =>
      value !== undefined && /^[A-Za-z_]\w*$/.test(name) && isShared(name, value) ? [[name, value]] : [],
    ),
  );
}
