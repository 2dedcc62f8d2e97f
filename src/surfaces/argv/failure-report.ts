// Failures on the command line: one message, the remedy, the exit code. A fault shows its stack. A call that succeeds does
// not load this.
import {
  diskFailure,
  exitCodes,
  fail,
  FailureError,
  failureTable,
  plainText,
  spellRemedy,
  type Failure,
} from "../../core/contract/index.ts";
import type { Program } from "./program.ts";
import type { ProgramDeps } from "./run.ts";
import { cliName, type AnyOperation, type FieldRefusal } from "../../operations/define/index.ts";
import { calledAs, type Io } from "./spec.ts";
import { createStyle } from "./style.ts";

/** A line of another version of the program is run again under its new name; every other failure is reported. */
export async function afterFailure<C>(
  error: unknown,
  argv: readonly string[],
  program: Program<C>,
  deps: ProgramDeps,
  run: (argv: readonly string[], program: Program<C>, deps: ProgramDeps) => Promise<number>,
): Promise<number> {
  const { io } = deps;
  const own = argv.slice(0, Math.max(0, argv.indexOf("--")) || argv.length);
  const report = (failure: unknown) => reportFailure(failure, io, own.includes("--json"), program);
  const isInput = error instanceof FailureError && failureTable[error.failure.code].exit === exitCodes.badInput;
  if (!program.former || !isInput) return await report(error);
  const { translateLine, operations } = await program.former();
  try {
    const line = translateLine(argv);
    if (!line) return await report(error);
    const { redact } = await import("../../core/secrets/index.ts");
    if (!own.includes("--quiet") && !own.includes("-q")) io.err(`${plainText(redact(line.note).text)}\n`);
    return await run(line.argv, { ...program, operations }, deps);
  } catch (refusal) {
    return await report(refusal);
  }
}

/** A refusal may quote what was typed, so its text is searched for secrets like every output. */
async function withoutSecrets(failure: Failure): Promise<Failure> {
  const { redact } = await import("../../core/secrets/index.ts");
  const { message, remedy } = failure;
  return {
    ...failure,
    message: redact(message).text,
    ...(remedy === undefined ? {} : { remedy: redact(remedy).text }),
  };
}

export async function reportFailure(
  error: unknown,
  io: Io,
  json: boolean,
  program: Pick<Program<never>, "name" | "exit" | "spell" | "failed" | "jsonLine">,
): Promise<number> {
  const failed = diskFailure(error);
  if (!failed) {
    const { redact } = await import("../../core/secrets/index.ts");
    const { text } = redact(error instanceof Error ? (error.stack ?? error.message) : String(error));
    io.err(`${program.name}: internal error, please report it.\n${plainText(text)}\n`);
    const face = { code: "internal_error", message: plainText(text.split("\n")[0] ?? "") };
    if (json && program.failed) io.out(program.jsonLine(program.failed({ ...face, remedy: null })));
    else if (json) io.out(`${JSON.stringify({ schemaVersion: 1, ok: false, error: face })}\n`);
    return exitCodes.failure;
  }
  const clean = await withoutSecrets(failed.failure);
  const { suggestions: _, ...failure } = clean;
  const remedy = spellRemedy(clean, program.spell);
  const row = failureTable[failure.code];
  const own = json
    ? program.failed?.({ code: failure.code, message: failure.message, remedy: remedy ?? null })
    : undefined;
  if (own) io.out(program.jsonLine(own));
  else if (json)
    io.out(
      `${JSON.stringify({ schemaVersion: 1, ok: false, error: { ...failure, ...(remedy === undefined ? {} : { remedy }), retry: row.retry } })}\n`,
    );
  if (!json || own) {
    const style = createStyle(io.color);
    io.err(`${style.red(`${program.name}:`)} ${plainText(failure.message)}\n`);
    if (remedy) io.err(`${style.dim("→")} ${plainText(remedy)}\n`);
  }
  return program.exit?.(failure) ?? row.exit;
}

/** The spelling of a field in a refusal. */
function spelling(operation: AnyOperation, path: readonly (string | number)[]): string {
  const [name = "", ...inner] = path.map(String);
  const field = operation.input[name];
  if (!field) return name;
  if (field.kind === "record" && field.cli?.keys && inner[0] !== undefined) return `--${inner[0]}`;
  const word = (operation.cli?.args as readonly string[] | undefined)?.includes(name);
  const own = word ? cliName(name, field) : `--${cliName(name, field)}`;
  return field.kind === "list" && field.of.kind !== "shape" ? own : [own, ...inner].join(".");
}

export function refuseInput(program: string, operation: AnyOperation, refusals: readonly FieldRefusal[]): never {
  const [first] = refusals;
  if (!first) throw new TypeError("nothing was refused");
  const command = `${program} ${calledAs({ name: operation.name, ...operation.cli })}`.trimEnd();
  const [name = ""] = first.path.map(String);
  const field = operation.input[name];
  const spelled = spelling(operation, first.path);
  if (first.problem === "missing" && first.path.length === 1)
    fail("invalid_input", `"${command}" needs ${spelled.startsWith("--") ? spelled : field?.help}.`, {
      remedy: `${spelled.startsWith("--") ? `Give ${first.accepted}. ` : ""}Run: ${command} --help`,
    });
  const given = typeof first.given === "string" ? ` "${first.given.slice(0, 60)}"` : " that";
  const near = first.near === undefined ? "" : `Did you mean ${first.near}? `;
  if (first.problem === "unknown")
    fail("invalid_input", `${spelled} is not known.`, {
      remedy: `${near}Take out ${first.path.at(-1)}. Known are: ${first.accepted}`,
    });
  if (first.problem === "missing")
    fail("invalid_input", `${spelled} is missing.`, { remedy: `Give ${first.accepted}.` });
  fail("invalid_input", `${spelled} cannot be${given}.`, {
    remedy: `${near}Give ${first.accepted}.${first.look ? ` ${first.look.remedy}` : ""}`,
    ...(first.look ? { suggestions: [first.look.suggestion] } : {}),
  });
}
