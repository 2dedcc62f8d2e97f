// Database clients: their statement decides, and a connection always leaves the process.
import type { CommandCall, ProgramJudge, ProgramJudges } from "../call.ts";
import { each } from "./build.ts";

const ends =
  /\b(drop|truncate|delete\s+from|delete|alter|update|insert|replace|grant|revoke|create|flushall|flushdb|shutdown|remove|deleteMany|deleteOne|dropDatabase|reindex|vacuum\s+full|program|attach|detach|kill)\b/i;
const runsPrograms =
  /\\!|\bprogram\s*'|^\s*\.(shell|system|import|output|once|open|load|read|save|backup|restore|clone|excel)|load_extension|(write|read)file\s*\(|\bedit\s*\(|fts3_tokenizer|xp_cmdshell|\bsys_exec\b|into\s+(out|dump)file|pg_read_file|lo_import|\bsystem\s/im;
const secrets =
  /pg_shadow|pg_authid|mysql\.user|information_schema\.user|\b(password|passwd|secret|token|api_key)\b/i;

const client =
  (where: "network" | "local_write"): ProgramJudge =>
  (call: CommandCall) => {
    const said = [...call.args.map(({ text }) => text), call.feed.kind === "text" ? call.feed.text : ""].join(
      "\n",
    );
    if (ends.test(said)) call.report("destructive", `${call.name} changes or deletes data`);
    if (runsPrograms.test(said)) call.report("unknown", `${call.name} can run programs or write files`);
    if (
      secrets.test(said) ||
      call.args.some(({ text }) => /^(-p.+|--password(=.*)?|-a)$|:\/\/[^/]*:[^/]*@/.test(text))
    )
      call.report("credential_sensitive", `${call.name} uses or shows a password`);
    if (
      call.feed.kind === "file" ||
      call.feed.kind === "unknown" ||
      call.args.some(({ text }) => /^(-f|--file|-i)$/.test(text))
    )
      call.report("destructive", `${call.name} runs statements this judge has not seen`);
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
