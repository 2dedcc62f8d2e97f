// Runs the command of a check once, and reads the report of its test runner where the runner accepts our reporter.
import type { CommandOutcome, CommandRequest, CommandRunner } from "../../../core/contract/index.ts";
import {
  attachReporter,
  goReader,
  goReporting,
  openChannel,
  refusedReporter,
  reportOf,
  type TestReport,
} from "../reporters/index.ts";
import { namingTests } from "../log/names.ts";

interface ReportedCheck {
  readonly command: CommandOutcome;
  /** Null where the log is all there is. */
  readonly report: TestReport | null;
}

type Argv = CommandRequest["argv"];

interface Hearing {
  readonly runner: CommandRunner;
  /** With the argv of the check itself. */
  readonly request: CommandRequest;
  /** The command line that it comes down to. */
  readonly script: string;
  /** The words as they are started, such as by a program of the project's own. */
  readonly started: (argv: Argv) => Promise<Argv>;
}

/** Without a reporter: as a person would run it, with each test named where one option does that. */
export async function runWithoutReporter({ runner, request, script, started }: Hearing): Promise<ReportedCheck> {
  const argv = await started(countable(namingTests(request.argv, script)));
  return { command: await runner.run({ ...request, argv }), report: null };
}

export async function runWithReporter(options: Hearing): Promise<ReportedCheck> {
  const { runner, request, script, started } = options;
  const go = goReporting(request.argv);
  if (go) return runGo(runner, { ...request, argv: await started(go) });
  if (attachReporter(request.argv, script, "") === null) return runWithoutReporter(options);
  const channel = await openChannel();
  if (!channel) return runWithoutReporter(options);
  const { folder } = channel;
  const attached = attachReporter(request.argv, script, folder);
  const named =
    attached && attached.argv.length > request.argv.length
      ? attached.argv
      : namingTests(attached?.argv ?? request.argv, script);
  let command: CommandOutcome | undefined;
  let report: TestReport | null = null;
  try {
    command = await runner.run({
      ...request,
      argv: await started(named),
      own: [...(request.own ?? []), { path: folder, access: "read" }],
      envAppended: attached?.env ?? {},
    });
  } finally {
    report = reportOf(await channel.close());
  }
  const output = Buffer.concat([command.stdout, command.stderr]).toString("utf8");
  const refused = command.exitCode !== 0 && refusedReporter(output, folder, report !== null);
  return refused ? runWithoutReporter(options) : { command, report };
}

async function runGo(runner: CommandRunner, request: CommandRequest): Promise<ReportedCheck> {
  const [live, whole] = [goReader(), goReader()];
  const { onOutput } = request;
  const command = await runner.run({
    ...request,
    ...(onOutput
      ? {
          onOutput: (stream, chunk) =>
            onOutput(stream, stream === "stdout" ? Buffer.from(live.read(Buffer.from(chunk).toString("utf8"))) : chunk),
        }
      : {}),
  });
  const text = whole.read(Buffer.from(command.stdout).toString("utf8"));
  const { text: last, session } = whole.end();
  return {
    command: { ...command, stdout: Buffer.from(text + last) },
    report: session ? reportOf([session]) : null,
  };
}

/** go reports single tests only with -v. */
function countable(argv: Argv): Argv {
  const [program, verb, ...rest] = argv;
  const quiet = program === "go" && verb === "test" && !rest.some((word) => /^-(?:v|json)$/.test(word));
  return quiet ? [program, verb, "-v", ...rest] : argv;
}
