// Programs that show, change or need the environment and credentials.
import type { ProgramJudges } from "../call.ts";
import { isOption, parseOptions } from "../options.ts";
import { isLiteral } from "../lexer/pattern.ts";
import { assignmentRisk, isSecretName, settingClass } from "../variables.ts";
import { groups, subcommands } from "./build.ts";

const harmlessToPrint =
  /^(HOME|USER|LOGNAME|PWD|OLDPWD|SHELL|LANG|LANGUAGE|LC_\w+|TERM|PATH|TZ|EDITOR|PAGER|HOSTNAME|SHLVL|CI|NODE_ENV)$/;

const envOptions =
  "-i --ignore-environment -0 --null -u --unset -C --chdir -S --split-string -v --debug --block-signal --default-signal --ignore-signal --list-signal-handling -P".split(
    " ",
  );

const openssl = subcommands({
  table: groups(
    ["network", "s_client s_server s_time ocsp ts"],
    ["read_only", "rand version dgst md5 sha1 sha256 sha512 list ciphers errstr asn1parse verify"],
    [
      "credential_sensitive",
      "rsa genrsa genpkey pkey pkcs12 pkcs8 ec ecparam req ca x509 enc cms smime passwd rsautl pkeyutl dsa gendsa",
    ],
  ),
  other: "credential_sensitive",
});

export const environment: ProgramJudges = {
  printenv: (call) => {
    const names = call.args.filter(({ text }) => !text.startsWith("-"));
    const open =
      names.length === 0 ||
      names.some(({ text }) => !isLiteral(text) || isSecretName(text) || !harmlessToPrint.test(text));
    if (open) call.report("credential_sensitive", "printenv shows variables, which can hold secrets");
  },
  env: (call) => {
    const { options, rest } = parseOptions(call.args, {
      values: ["-u", "--unset", "-C", "--chdir", "-S", "--split-string"],
      stopEarly: true,
    });
    const strange = options.find(({ name }) => !envOptions.some((known) => isOption(name, known)));
    if (strange) call.report("unknown", `env ${strange.name} is not an option this judge knows`, strange.arg);
    let at = 0;
    for (; rest[at]?.text.includes("=") && /^[^=\uE000]+=/.test(rest[at]?.text ?? ""); at += 1) {
      const [name = "", ...value] = (rest[at]?.text ?? "").split("=");
      const risk = assignmentRisk(name, value.join("="), true);
      if (risk) call.report(settingClass(name), risk, rest[at]);
    }
    const splits = options.find(({ name }) => name === "-S" || isOption(name, "--split-string"));
    const folder = options.find(({ name }) => name === "-C" || isOption(name, "--chdir"))?.value;
    if (folder) call.moveTo(folder.text);
    const inner = rest.slice(at);
    if (splits?.value) {
      const tail = inner.map(({ text }) => ` ${text}`).join("");
      return call.code({ ...splits.value, text: splits.value.text + tail });
    }
    if (inner.length > 0) call.run(inner);
    else call.report("credential_sensitive", "env shows all variables, and with them every secret in them");
  },
  openssl: (call) => {
    call.args.forEach(({ text }, at) => {
      const file = call.args[at + 1];
      if (file && /^-(out|keyout|writerand)$/.test(text)) call.write(file);
      if (file && /^-(in|inkey|key|kfile|rand|config|signkey|CAkey)$/.test(text)) call.read(file);
    });
    const loads = call.args.find(({ text }) => /^--?(engine|provider|provider-path)$/.test(text));
    if (loads) call.report("unknown", `openssl ${loads.text} loads a library`, loads);
    openssl(call);
  },
};
