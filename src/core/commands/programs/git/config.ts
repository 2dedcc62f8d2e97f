// git's settings: many of them name a program, so setting one needs approval, and listing all can show tokens.
import type { Arg, CommandCall } from "../../call.ts";
import { hasOption, parseOptions } from "../../options.ts";
import { anyOf, isLiteral } from "../../lexer/pattern.ts";
import { splitWords } from "../build.ts";

const secretKey = /extraheader|helper|password|token|secret|^url\.|cookiefile|sslkey|proxy|smtppass|oauth/i;
const reads = splitWords("--get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool -l --list");
const writes = splitWords("--add --unset --unset-all --replace-all --rename-section --remove-section -e --edit --set");

export function gitConfig(call: CommandCall): void {
  const parsed = parseOptions(call.args, {
    values: splitWords("-f --file --blob --type --default --value --comment"),
  });
  if (hasOption(parsed, "-e", "--edit")) return call.report("unknown", "git config --edit opens an editor");
  for (const { name, value } of parsed.options) if (value && /^(-f|--file|--blob)$/.test(name)) call.read(value);
  const [first, ...rest] = parsed.rest;
  const verb = first?.text ?? "";
  const listing = parsed.options.some(({ name }) => /^(-l|--li?s?t?|--get-[ru].*)$/.test(name)) || verb === "list";
  if (listing) return call.report("credential_sensitive", "git's settings can hold tokens and logins");
  const writing =
    parsed.options.some(({ name }) => writes.includes(name)) ||
    /^(set|unset|rename-section|remove-section|edit)$/.test(verb);
  const reading = parsed.options.some(({ name }) => reads.includes(name)) || verb === "get";
  const keys = verb === "get" ? rest : parsed.rest;
  if (!writing && (reading || parsed.rest.length < 2)) {
    const key = keys.find(({ text }) => !isLiteral(text) || secretKey.test(text));
    if (key) call.report("credential_sensitive", `${key.text} can hold a token or a login`, key);
    return;
  }
  const [key, value, ...more] = parsed.rest;
  const names = parsed.options.every(({ name }) => name === "--local") && /^user\.(name|email)$/i.test(key?.text ?? "");
  if (call.where === "worktree" && names && value && isLiteral(value.text) && more.length === 0)
    return call.report("local_write", "Sets the author of the commits here");
  call.report("local_write", "Changes git's settings, which can make git run programs later", undefined, true);
}

const harmlessSettings = anyOf(String.raw`
  color\. advice\. column\. user\.(name|email)$
  core\.(quotepath|abbrev|precomposeunicode|autocrlf|eol|safecrlf|ignorecase|filemode|longpaths|untrackedcache|preloadindex|commentchar|whitespace)$
  log\.(date|showsignature|abbrevcommit|decorate|follow|mailmap)$
  diff\.(renames|renamelimit|algorithm|context|mnemonicprefix|noprefix|colormoved|wserrorhighlight|interhunkcontext|submodule|ignoresubmodules|statgraphwidth)$
  status\. init\.defaultbranch$ merge\.(conflictstyle|renames|renamelimit|ff|stat|log)$
  pull\.(rebase|ff)$ push\.(default|autosetupremote)$ rebase\.(autosquash|autostash|abbreviatecommands)$
  commit\.(gpgsign|verbose)$ tag\.(gpgsign|sort)$ gc\.auto$ maintenance\.auto$ fetch\.(prune|parallel)$
  safe\.directory$ feature\. index\. pack\. blame\. grep\.(linenumber|patterntype|column|fullname)$
  help\.autocorrect$ submodule\.recurse$ checkout\. branch\.(sort|autosetuprebase)$ protocol\.version$
  http\.version$
`);
/** `-c name=value`, one setting for one call. */
const harmless = new RegExp(String.raw`^(${harmlessSettings})`, "i");

export function judgeSetting(call: CommandCall, arg: Arg): { alias: string; value: string } | undefined {
  const at = arg.text.indexOf("=");
  const key = at < 0 ? arg.text : arg.text.slice(0, at);
  const value = at < 0 ? "true" : arg.text.slice(at + 1);
  const alias = /^alias\.(.+)$/i.exec(key)?.[1];
  if (alias !== undefined) {
    if (!value.startsWith("!")) return { alias, value };
    call.code({ ...arg, text: value.slice(1) });
    call.report("unknown", "An alias given on the line runs a shell", arg);
    return undefined;
  }
  if (!isLiteral(key)) call.report("unknown", "A setting that is only known when it runs", arg);
  else if (/^(core\.pager|pager\.\w+)$/i.test(key) && /^(|cat|less|false|more)$/.test(value)) return undefined;
  else if (
    /^(core\.(hookspath|fsmonitor|attributesfile)|credential\.helper)$/i.test(key) &&
    /^(|\/dev\/null|false|0)$/.test(value)
  )
    return undefined;
  else if (/\.proxy$|^http\./i.test(key)) call.report("network", `${key} sends git's traffic another way`, arg);
  else if (!harmless.test(key)) call.report("unknown", `The setting ${key} can make git run a program`, arg);
  return undefined;
}
