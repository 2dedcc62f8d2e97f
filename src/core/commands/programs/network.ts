// Programs that connect to other machines.
import type { Arg, CommandCall, ProgramJudge, ProgramJudges } from "../call.ts";
import { hasOption, optionValues, parseOptions } from "../options.ts";
import { each, joinArgs, splitWords } from "./build.ts";
import { probesSandbox, reachesSandbox, staysInSandbox } from "./loopback.ts";

const curlValues = splitWords(
  "-o --output -d --data --data-ascii --data-binary --data-raw --data-urlencode --json -F --form --form-string -T --upload-file -H --header -u --user -U --proxy-user -x --proxy -A --user-agent -e --referer -b --cookie -c --cookie-jar -X --request -K --config -m --max-time --connect-timeout --retry --retry-delay -w --write-out -E --cert --key --cacert --capath -D --dump-header --output-dir --netrc-file --resolve --connect-to --interface -r --range --url --oauth2-bearer --trace --trace-ascii --stderr --egd-file --hostpubmd5 --pubkey --unix-socket --abstract-unix-socket -z --time-cond --limit-rate -C --continue-at -t --telnet-option -Q --quote --proto --ciphers --tls-max --variable --rate --create-file-mode --doh-url --dns-servers --aws-sigv4 --libcurl --etag-save --etag-compare --alt-svc --hsts",
);
const curlWrites = splitWords(
  "-o --output -c --cookie-jar -D --dump-header --output-dir --trace --trace-ascii --libcurl --etag-save --stderr",
);

/** Options that change neither where a request goes nor what runs. */
const curlPlain = splitWords(
  "-s -S -f -i -I -v -k -L -g -G -4 -6 -N -o -d -F -H -b -c -X -A -e -m -w -D -T -r --output --data --data-ascii --data-binary --data-raw --data-urlencode --json --form --form-string --header --cookie --cookie-jar --request --user-agent --referer --max-time --connect-timeout --retry --retry-delay --retry-max-time --retry-connrefused --retry-all-errors --write-out --dump-header --upload-file --range --silent --show-error --fail --fail-with-body --include --head --verbose --insecure --location --globoff --get --no-buffer --compressed --http1.1 --http2 --no-progress-meter --max-redirs --create-dirs",
);
const wgetPlain = splitWords(
  "-q -O -S -t -T -v -n --quiet --output-document --server-response --tries --timeout --spider --header --post-data --body-data --method --retry-connrefused --waitretry --no-check-certificate --no-verbose --content-on-error",
);

/** `@file` and `x=@file` send a file. */
function sends(call: CommandCall, arg: Arg): void {
  const path = /^(?:[^@]*[=:])?[@<](.+?)(?:;.*)?$/s.exec(arg.text)?.[1];
  if (path) call.read({ ...arg, text: path });
}

function curl(call: CommandCall): void {
  const parsed = parseOptions(call.args, { values: curlValues });
  for (const { name, value } of parsed.options) {
    if (!value) continue;
    if (/^(-d|--data\S*|--json|-F|--form|-H|--header|-b|--cookie|--variable|--url-query|-w|--write-out)$/.test(name))
      sends(call, value);
    if (/^(-T|--upload-file|-K|--config|-E|--cert|--key|--netrc-file|-b|--cookie)$/.test(name)) call.read(value);
    if (curlWrites.includes(name)) call.write(value);
    if (/^(-X|--request)$/.test(name) && /^DELETE$/i.test(value.text))
      call.report("destructive", "Asks another machine to delete something", value);
    if (/^(-u|--user|-U|--proxy-user|--oauth2-bearer)$/.test(name))
      call.report("credential_sensitive", "Sends a login", value);
    if (name.endsWith("socket")) call.report("unknown", "Talks to a local service, which can do anything", value);
  }
  if (hasOption(parsed, "-n", "--netrc", "--netrc-optional", "--delegation", "--negotiate"))
    call.report("credential_sensitive", "Sends stored logins");
  parsed.rest.filter(({ text }) => text.startsWith("file:")).forEach((arg) => call.read(arg));
  if (hasOption(parsed, "-O", "--remote-name", "--remote-name-all", "-J"))
    call.report("local_write", "curl writes a file");
  if (staysInSandbox(call, parsed, curlPlain)) return reachesSandbox(call);
  call.report("network", "curl talks to another machine");
}

function wget(call: CommandCall): void {
  const parsed = parseOptions(call.args, {
    values: splitWords(
      "-O --output-document -o --output-file -a --append-output -P --directory-prefix -i --input-file --post-file --body-file --post-data --body-data --header -U --user-agent --user --password -e --execute -t -T -Q --load-cookies --save-cookies --certificate --private-key --ca-certificate --config --method --use-askpass",
    ),
  });
  optionValues(
    parsed,
    "--post-file",
    "--body-file",
    "-i",
    "--input-file",
    "--load-cookies",
    "--certificate",
    "--private-key",
    "--config",
  ).forEach((arg) => call.read(arg));
  optionValues(
    parsed,
    "-O",
    "--output-document",
    "-o",
    "--output-file",
    "-a",
    "-P",
    "--directory-prefix",
    "--save-cookies",
  ).forEach((arg) => call.write(arg));
  if (hasOption(parsed, "-e", "--execute", "--use-askpass", "--config"))
    call.report("unknown", "wget takes settings that can run a program");
  if (hasOption(parsed, "--password", "--http-password", "--ftp-password"))
    call.report("credential_sensitive", "Sends a login");
  if (staysInSandbox(call, parsed, wgetPlain)) return reachesSandbox(call);
  call.report("network", "wget talks to another machine");
}

const sshValues = splitWords("-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B");
const sshRuns =
  /^\s*(ProxyCommand|LocalCommand|PermitLocalCommand|KnownHostsCommand|Match|PKCS11Provider|SecurityKeyProvider|XAuthLocation|Include|ProxyUseFdpass)\b/i;

function sshOptions(call: CommandCall, values: readonly string[]): readonly Arg[] {
  const { options, rest } = parseOptions(call.args, { values, stopEarly: true });
  for (const { name, value, arg } of options) {
    if (name === "-o" && value && sshRuns.test(value.text))
      call.report("unknown", `${call.name} runs a program to connect`, arg);
    if ((name === "-F" || name === "-S") && value)
      call.report("unknown", `${call.name} takes settings or a program from elsewhere`, arg);
    if (name === "-i" && value) call.read(value);
    if (name === "-E" && value) call.write(value);
  }
  return rest;
}

function ssh(call: CommandCall): void {
  const [, ...operands] = sshOptions(call, sshValues);
  const command = operands[0]?.text === "--" ? operands.slice(1) : operands;
  const [first] = command;
  if (first) call.suspect(joinArgs(command, first));
  if (call.feed.kind === "text" && command.length === 0) call.suspect({ text: call.feed.text, span: call.feed.span });
  call.report("network", `${call.name} reaches another machine`);
}

const copies: ProgramJudge = (call) => {
  const rest = sshOptions(call, splitWords("-c -D -F -i -J -l -o -P -S -X -b -B -R"));
  rest.forEach((arg) => (/^[^/]*:/.test(arg.text) ? undefined : call.readAll(arg)));
  call.report("network", `${call.name} copies to or from another machine`);
};

function rsync(call: CommandCall): void {
  const parsed = parseOptions(call.args, {
    values: splitWords(
      "-e --rsh --rsync-path --exclude --include --filter -f --exclude-from --include-from --files-from --password-file --log-file --temp-dir -T --partial-dir --backup-dir --suffix --chmod --chown --bwlimit --timeout --port --compare-dest --link-dest --copy-dest -B -M --remote-option --info --debug --out-format --max-size --min-size",
    ),
  });
  const shell = optionValues(parsed, "-e", "--rsh");
  shell.forEach((arg) => {
    if (!/^ssh(\s+-p\s*\d+)?$/.test(arg.text)) call.report("unknown", "rsync is given a program that connects", arg);
  });
  if (hasOption(parsed, "--rsync-path")) call.report("unknown", "rsync runs a program on the other side");
  optionValues(parsed, "--files-from", "--exclude-from", "--include-from", "--password-file").forEach((arg) =>
    call.read(arg),
  );
  const tries = hasOption(parsed, "-n", "--dry-run", "--list-only");
  if (!tries && parsed.options.some(({ name }) => /^--(del|delete\S*|remove-source-files)$/.test(name)))
    call.report("destructive", "rsync deletes at the target or at the source");
  const remote = parsed.rest.find(({ text }) => /^[^/]+:|^rsync:\/\//.test(text));
  const target = parsed.rest.at(-1);
  parsed.rest.slice(0, -1).forEach((arg) => call.readAll(arg));
  if (remote) return call.report("network", "rsync copies to or from another machine", remote);
  if (tries) return;
  if (target && parsed.rest.length > 1) call.write(target);
  call.report("local_write", "rsync writes copies");
}

const netcat: ProgramJudge = (call) => {
  if (probesSandbox(call)) return reachesSandbox(call);
  const run = call.args.find(({ text }) => /^(-\w*[ec]|--exec|--sh-exec|--lua-exec)$|EXEC:|SYSTEM:|SHELL:/i.test(text));
  if (run) call.report("unknown", `${call.name} hands a program to the network`, run);
  call.args.forEach(
    (arg) =>
      /^(FILE|OPEN|CREATE|GOPEN):/i.test(arg.text) &&
      call.read({ ...arg, text: arg.text.replace(/^\w+:/, "").split(",")[0] ?? "" }),
  );
  call.report("network", `${call.name} opens a connection`);
};

export const network: ProgramJudges = {
  curl,
  wget,
  ...each("ssh mosh", ssh),
  sshpass: (call) => {
    call.report("credential_sensitive", "sshpass hands over a password");
    const { rest } = parseOptions(call.args, { values: splitWords("-p -f -d -P"), stopEarly: true });
    if (rest.length > 0) call.run(rest);
  },
  ...each("scp sftp", copies),
  rsync,
  ...each("nc ncat socat", netcat),
};
