// Command lines of clouds, clusters and hosts, and database clients: every call accesses another machine or a database, and
// some calls delete resources or show secrets.
import type { CommandCall, ProgramJudge, ProgramJudges } from "../call.ts";
import { anyOf } from "../lexer/pattern.ts";
import { isScratch } from "../paths/path-class.ts";
import { each, splitWords } from "./build.ts";
import { parseOptions } from "../options.ts";

interface WordRules {
  readonly destructive: RegExp;
  readonly credential: RegExp;
  readonly install?: RegExp;
  readonly reads?: RegExp;
}

const destructiveWords = anyOf(String.raw`
  \S+:(destroy|delete|remove|reset|stop|unset) delete\S* destroy\S* remove\S* rm rb terminate\S*
  purge\S* drop\S* reset\S* kill stop\S* deregister\S* detach\S* disable\S* revoke\S* wipe prune scale
  drain cordon taint rollback abandon cancel\S* uninstall scrub erase evict deallocate unpublish
`);
const credentialWords = anyOf(String.raw`
  login logout auth credentials? configure secrets? secretsmanager get-secret-value print-access-token
  print-identity-token get-access-token get-session-token assume-role\S* get-federation-token
  get-login\S* token tokens sso keyvault kms key keys password passwd get-password-data
  get-parameters?\S* ssm decrypt create-access-key service-account-keys? app-password export-credentials
  print-token whoami session access-token get-token eks-get-token get-credentials
  get-authorization-token signing-key api-keys? apikeys? env vars? variables? config(:\w+)? auth:\S+
  credentials:\S+ iam sts accounts:session
`);
const common: WordRules = {
  destructive: new RegExp(String.raw`^(${destructiveWords})$`, "i"),
  credential: new RegExp(String.raw`^(${credentialWords})$`, "i"),
};

/** Judged by the arguments in any order, because these programs name their actions. */
const byWords =
  (rule: WordRules): ProgramJudge =>
  (call) => {
    const operands = call.args.filter(({ text }) => !text.startsWith("-")).slice(0, 5);
    const find = (pattern: RegExp) => operands.find(({ text }) => pattern.test(text));
    if (call.args.length === 0)
      return call.report("network", `${call.name} opens a session or talks to another machine`);
    if (operands.length === 0 || (rule.reads && find(rule.reads) === operands[0])) return;
    const secret = find(rule.credential);
    if (secret) call.report("credential_sensitive", `${call.name} ${secret.text} shows or uses credentials`, secret);
    const ends = find(rule.destructive);
    if (ends) call.report("destructive", `${call.name} ${ends.text} ends or deletes things elsewhere`, ends);
    const installs = rule.install && find(rule.install);
    if (installs) call.report("dependency_install", `${call.name} ${installs.text} fetches programs`, installs);
    call.args.forEach(
      (arg) => /^(file|fileb):\/\//.test(arg.text) && call.read({ ...arg, text: arg.text.replace(/^fileb?:\/\//, "") }),
    );
    if (/s3|storage|gsutil|blob/.test(operands[0]?.text ?? "") || /^(cp|mv|sync|upload)$/.test(operands[1]?.text ?? ""))
      operands.forEach((arg) => call.readAll(arg));
    call.report("network", `${call.name} talks to another machine`);
  };

const kubectl: ProgramJudge = (call) => {
  const { rest } = parseOptions(call.args, {
    values: splitWords(
      "-n --namespace --context --cluster --kubeconfig -s --server --token --user --as -f --filename -o --output -l --selector -c --container -p --patch",
    ),
  });
  const [verb, ...args] = rest;
  const name = verb?.text ?? "";
  if (args.some(({ text }) => /^secrets?([./]|$)|serviceaccounts?\/token/i.test(text)))
    call.report("credential_sensitive", "Shows or changes secrets of the cluster");
  if (/^(config|auth)$/.test(name) && /^(view|get-users|set-credentials)$/.test(args[0]?.text ?? ""))
    call.report("credential_sensitive", "Shows logins of the cluster");
  if (name === "create" && args[0]?.text === "token")
    call.report("credential_sensitive", "Makes a token for the cluster");
  if (/^(delete|drain|cordon|taint|replace|scale|rollout|evict|prune)$/.test(name))
    call.report("destructive", `kubectl ${name} changes or ends what runs in the cluster`);
  if (/^(exec|attach|debug|run|cp|port-forward|proxy|plugin)$/.test(name)) {
    const at = call.args.findIndex(({ text }) => text === "--");
    const inner = at < 0 ? [] : call.args.slice(at + 1);
    if (inner.length > 0) call.run(inner);
    if (name === "exec" || name === "run" || name === "debug")
      call.report("unknown", `kubectl ${name} runs a program in the cluster`);
  }
  if (name === "version" && call.args.some(({ text }) => text === "--client" || text === "--client=true")) return;
  if (name === "config" && /^(current-context|get-contexts|get-clusters)$/.test(args[0]?.text ?? "")) return;
  call.report("network", "kubectl talks to a cluster");
};

const gh: ProgramJudge = (call) => {
  if (/^(help|version)$/.test(call.args[0]?.text ?? "")) return;
  const [group, verb] = call.args.filter(({ text }) => !text.startsWith("-"));
  const name = `${group?.text ?? ""} ${verb?.text ?? ""}`;
  if (/^(auth|secret|ssh-key|gpg-key|variable|codespace) /.test(name))
    call.report("credential_sensitive", `gh ${name} shows or uses credentials`);
  if (
    / (delete|close|archive|remove|cancel|revert|disable|transfer)$/.test(name) ||
    call.args.some(({ text }) => /^(-XDELETE|DELETE|--delete-branch|-d)$/.test(text))
  )
    call.report("destructive", `gh ${name} ends or deletes things for others`);
  if (/^extension (install|upgrade|create|exec)/.test(name))
    call.report("dependency_install", "gh extension installs a program");
  if (/^(alias|config) (set|import|delete)/.test(name))
    call.report("local_write", "Changes what gh does", undefined, true);
  call.args.forEach((arg) => /=@/.test(arg.text) && call.read({ ...arg, text: arg.text.replace(/^.*=@/s, "") }));
  call.report("network", `gh talks to another machine`);
};

const docker: ProgramJudge = (call) => {
  const { options, rest } = parseOptions(call.args, {
    values: splitWords(
      "-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey --url --connection --identity",
    ),
    stopEarly: true,
  });
  const elsewhere = options.find(({ name }) => /^(-H|--host|-c|--context|--url|--connection|--remote|-r)$/.test(name));
  if (elsewhere && call.name !== "docker-compose")
    call.report("network", `${call.name} ${elsewhere.name} reaches the containers of another machine`, elsewhere.arg);
  const [first, second, ...more] = rest;
  const group =
    /^(container|image|volume|network|system|builder|buildx|compose|context|plugin|swarm|node|service|stack|secret|config|manifest|trust|machine)$/.test(
      first?.text ?? "",
    );
  const verb = (group ? second : first)?.text ?? "";
  const args = group ? more : rest.slice(1);
  const scope = group ? (first?.text ?? "") : "";
  dockerVerb(call, scope, verb, args);
};

function dockerVerb(call: CommandCall, scope: string, verb: string, args: CommandCall["args"]): void {
  const name = `${call.name} ${scope} ${verb}`.replaceAll("  ", " ");
  if (scope === "secret" || /^(login|logout)$/.test(verb))
    return call.report("credential_sensitive", `${name} uses credentials`);
  if (/^(rm|rmi|remove|prune|kill|stop|down|restart|pause|leave|demote|reset)$/.test(verb))
    return call.report("destructive", `${name} ends or deletes containers, images or data`);
  if (/^(pull|push|search|bake|imagetools|publish)$/.test(verb))
    return call.report("network", `${name} talks to a registry`);
  if (/^(build|up|create|init|install)$/.test(verb))
    return call.report("dependency_install", `${name} fetches images and runs their code`);
  if (/^(inspect|export|save|config|history)$/.test(verb) && scope !== "compose")
    return call.report("credential_sensitive", `${name} can show secrets of a container`);
  if (
    scope === "compose" &&
    verb === "config" &&
    args.some(({ text }) => /^(--services|--volumes|--images|--profiles|-q|--quiet)$/.test(text))
  )
    return;
  if (/^(ps|ls|list|images|version|info|top|port|stats|df|logs|events|diff)$/.test(verb)) return;
  if (verb === "") return;
  if (/^(run|exec)$/.test(verb)) {
    const inner = parseOptions(args, {
      values: splitWords(
        "-e --env -v --volume -w --workdir -u --user -p --publish --name --network --net --mount --entrypoint --env-file -l --label -h --hostname --add-host --memory -m --cpus --platform --gpus --device --cap-add --security-opt --ulimit --restart --pull --shm-size --tmpfs --dns --ip --link",
      ),
      stopEarly: true,
    });
    inner.options.forEach(({ name: option, value }) => {
      if (value && /^(-v|--volume|--mount)$/.test(option))
        call.readAll({
          ...value,
          text: value.text.replace(/^.*?(?:source|src)=/, "").split(/[:,]/)[0] ?? "",
        });
      if (value && option === "--env-file") call.read(value);
    });
    const [, ...command] = inner.rest;
    if (command.length > 0) call.run(command);
    return call.report("unknown", `${name} runs a program with the rights of the container service`);
  }
  call.report("unknown", `${name} is not known`);
}

const helm: ProgramJudge = (call) => {
  const verb = call.args.find(({ text }) => !text.startsWith("-"))?.text ?? "";
  if (/^(uninstall|delete|rollback)$/.test(verb))
    return call.report("destructive", `helm ${verb} changes what runs in the cluster`);
  if (/^(install|upgrade|repo|plugin|dependency|dep|pull|registry)$/.test(verb))
    return call.report("dependency_install", `helm ${verb} fetches and installs charts`);
  if (/^(lint|template|version|env|show|completion)$/.test(verb))
    return call.report(verb === "env" ? "credential_sensitive" : "read_only", `helm ${verb} only reads`);
  call.report("network", "helm talks to a cluster");
};

export const cloud: ProgramJudges = {
  "ansible-playbook": (call) =>
    call.args.some(({ text }) => /^--(syntax-check|list-tasks|list-hosts|list-tags)$/.test(text))
      ? call.report("local_write", "ansible-playbook only checks the playbook")
      : byWords(common)(call),
  ...each("kubectl k", kubectl),
  ...each("gh glab", gh),
  ...each("docker podman docker-compose", (call) =>
    call.name.endsWith("-compose")
      ? docker({ ...call, name: call.name, args: [{ text: "compose", span: call.span }, ...call.args] })
      : docker(call),
  ),
  helm,
  ...each(
    "aws gcloud az doctl heroku fly flyctl vagrant pulumi cdk serverless ansible salt ollama claude codex goose",
    byWords(common),
  ),
};

const changingStatements = anyOf(String.raw`
  drop truncate delete\s+from delete alter update insert replace grant revoke create flushall flushdb
  shutdown remove deleteMany deleteOne dropDatabase reindex vacuum\s+full program attach detach kill
`);
const ends = new RegExp(String.raw`\b(${changingStatements})\b`, "i");
const runsPrograms = new RegExp(
  anyOf(String.raw`
    \\! \bprogram\s*'
    ^\s*\.(shell|system|import|output|once|open|load|read|save|backup|restore|clone|excel)
    load_extension (write|read)file\s*\( \bedit\s*\( fts3_tokenizer xp_cmdshell \bsys_exec\b
    into\s+(out|dump)file pg_read_file lo_import \bsystem\s
  `),
  "im",
);
const secrets = /pg_shadow|pg_authid|mysql\.user|information_schema\.user|\b(password|passwd|secret|token|api_key)\b/i;

const client =
  (where: "network" | "local_write"): ProgramJudge =>
  (call: CommandCall) => {
    const statements = [...call.args.map(({ text }) => text), call.feed.kind === "text" ? call.feed.text : ""].join(
      "\n",
    );
    const [file] = call.args.filter(({ text }) => !text.startsWith("-"));
    const own = where === "local_write" && (file === undefined || !call.isAway(file.text));
    const changes = (why: string) => (own ? call.discard(why) : call.report("destructive", why));
    if (where === "local_write" && file && call.isAway(file.text) && !isScratch(file.text))
      call.report("credential_sensitive", `${call.name} reads a database outside of the project`, file);
    if (ends.test(statements)) changes(`${call.name} changes or deletes data`);
    if (runsPrograms.test(statements)) call.report("unknown", `${call.name} can run programs or write files`);
    if (
      secrets.test(statements) ||
      call.args.some(({ text }) => /^(-p.+|--password(=.*)?|-a)$|:\/\/[^/]*:[^/]*@/.test(text))
    )
      call.report("credential_sensitive", `${call.name} uses or shows a password`);
    if (
      call.feed.kind === "file" ||
      call.feed.kind === "unknown" ||
      call.args.some(({ text }) => /^(-f|--file|-i)$/.test(text))
    )
      changes(`${call.name} runs statements this judge has not seen`);
    call.args
      .filter(({ text }) => !text.startsWith("-"))
      .slice(0, 1)
      .forEach((arg) => call.read(arg));
    call.report(
      where,
      where === "network" ? `${call.name} talks to a database` : `${call.name} works on a database file`,
    );
  };

export const databases: ProgramJudges = {
  ...each("psql mysql mongo mongosh redis-cli", client("network")),
  sqlite3: client("local_write"),
};
