// Programs that show, change or need the environment and credentials.
import type { ProgramJudge, ProgramJudges } from "../call.ts";
import { isOption, parseOptions } from "../options.ts";
import { isLiteral } from "../lexer/pattern.ts";
import { assignmentRisk, isSecretName, settingClass } from "../variables.ts";
import { each, groups, subcommands } from "./build.ts";

const harmlessToPrint =
  /^(HOME|USER|LOGNAME|PWD|OLDPWD|SHELL|LANG|LANGUAGE|LC_\w+|TERM|PATH|TZ|EDITOR|PAGER|HOSTNAME|SHLVL|CI|NODE_ENV)$/;

const envOptions =
  "-i --ignore-environment -0 --null -u --unset -C --chdir -S --split-string -v --debug --block-signal --default-signal --ignore-signal --list-signal-handling -P".split(
    " ",
  );

/** Prints what a certificate or a request says to everybody; a key of it is neither read nor made. */
const shows: ProgramJudge = (call) => {
  const made = call.args.find(({ text }) =>
    /^-(\w*key|req|new\w*|out|out\w+|sign\w*|CA\w*|x509|passin|passout|config)$/.test(text),
  );
  const plain = made === undefined && call.args.some(({ text }) => text === "-noout");
  call.report(plain ? "read_only" : "credential_sensitive", `${call.name} ${plain ? "only prints" : "uses keys"}`);
};

const openssl = subcommands({
  table: groups(
    ["network", "s_client s_server s_time ocsp ts"],
    [shows, "x509 req crl"],
    ["read_only", "rand version dgst md5 sha1 sha256 sha512 list ciphers errstr asn1parse verify"],
    [
      "credential_sensitive",
      "rsa genrsa genpkey pkey pkcs12 pkcs8 ec ecparam ca enc cms smime passwd rsautl pkeyutl dsa gendsa",
    ],
  ),
  other: "credential_sensitive",
});

export const environment: ProgramJudges = {
  ...each("gpg gpg2", (call) => {
    const looks =
      /^(--verify|-k|-K|--list-(public-|secret-)?keys|--list-sigs|--fingerprint|--show-keys|--version|--status-fd(=\d)?|--batch|--no-tty)$/;
    const options = call.args.filter(({ text }) => text.startsWith("-"));
    const only = options.length > 0 && options.every(({ text }) => looks.test(text));
    call.report(only ? "read_only" : "credential_sensitive", `${call.name} ${only ? "only looks" : "uses keys"}`);
    if (only) call.args.filter(({ text }) => !text.startsWith("-")).forEach((arg) => call.read(arg));
  }),
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
    const isPublic = /^(x509|req|crl)$/.test(call.args[0]?.text ?? "");
    call.args.forEach(({ text }, at) => {
      const file = call.args[at + 1];
      if (file && /^-(out|keyout|writerand)$/.test(text)) call.write(file);
      if (file && !(isPublic && text === "-in") && /^-(in|inkey|key|kfile|rand|config|signkey|CAkey)$/.test(text))
        call.read(file);
    });
    const loads = call.args.find(({ text }) => /^--?(engine|provider|provider-path)$/.test(text));
    if (loads) call.report("unknown", `openssl ${loads.text} loads a library`, loads);
    openssl(call);
  },
};
