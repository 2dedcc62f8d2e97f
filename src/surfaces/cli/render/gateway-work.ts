// What a person gets of one session of the gateway: the answer of its agent, evidence, snapshots, the patch, the configuration.
import { plainText } from "../../../core/contract/index.ts";
import type {
  SessionConfig,
  ShownActions,
  ShownEvidence,
  ShownLedger,
  ShownSnapshots,
} from "../../../operations/run-data/index.ts";
import { safe } from "./list.ts";
import { renders, texts } from "./view.ts";

interface Sent {
  readonly sessionId: string;
  readonly answer: string | null;
}

export const sent = texts<Sent>(({ sessionId, answer }) =>
  answer === null
    ? `The agent has the message. Its answer: thehood gateway logs ${sessionId} --follow\n`
    : `${plainText(answer)}\n`,
);

interface Answered {
  readonly sessionId: string;
  readonly submitted: readonly string[];
  readonly kept: readonly string[];
  readonly waitsFor: readonly string[];
  readonly agentInformed: boolean;
}

export const answered = texts<Answered>(({ sessionId, submitted, kept, waitsFor, agentInformed }, { style }) => {
  const lines = [
    submitted.length === 0
      ? "The request is closed without values."
      : `${style.green("✔")} given: ${submitted.join(", ")}`,
    ...(kept.length === 0 ? [] : [`  kept for later sessions: ${kept.join(", ")}`]),
    ...(waitsFor.length === 0 ? [] : [`  still missing: ${waitsFor.join(", ")}: thehood gateway answer ${sessionId}`]),
    ...(agentInformed ? ["  the agent knows and goes on"] : []),
  ];
  return `${lines.map(safe).join("\n")}\n`;
});

const when = (at: number): string => new Date(at).toISOString().slice(0, 19).replace("T", " ");

export const evidence = renders<ShownEvidence>({
  print({ sessionId, evidence: all, file, written }, { io, style }) {
    if (file) {
      const text = Buffer.from(file.base64, "base64").toString("utf8");
      const other = `${safe(file.path)} is ${file.mediaType}: write it with thehood gateway evidence ${sessionId} --out DIR`;
      return io.out(file.mediaType === "text/plain" ? plainText(text) : `${other}\n`);
    }
    if (written) return io.out(`${written.files.length} files in ${written.folder}\n`);
    if (all.length === 0) return io.out("No evidence yet. The agent uploads it with its tool verify.\n");
    for (const { at, folder, files, left } of all) {
      io.out(`${style.dim(when(at))}  ${safe(folder)}\n`);
      for (const { path, bytes, ref } of files)
        io.out(`  ${String(bytes).padStart(9)}  ${safe(path)}  ${style.dim(ref)}\n`);
      for (const { path, why } of left) io.out(`  ${style.dim(`left out: ${safe(path)}: ${safe(why)}`)}\n`);
    }
    return io.out(`${style.dim("→")} thehood gateway evidence ${sessionId} --out DIR\n`);
  },
});

export const snapshots = renders<ShownSnapshots>({
  print({ sessionId, snapshots: all, saved, restored }, { io, style }) {
    if (saved) io.out(`${style.green("✔")} saved ${saved.snapshotId} for this ${saved.target}\n`);
    if (restored) {
      io.out(`${style.green("✔")} the session runs from ${restored.snapshotId}\n`);
      if (restored.before !== null) io.out(`  the state before is ${restored.before}\n`);
    }
    if (all.length === 0)
      return io.out(`No snapshots yet. Save one: thehood gateway snapshots ${sessionId} --save "…"\n`);
    for (const { id, createdAt, message, state, current } of all) {
      const mark = current ? style.green("current") : state === "ready" ? "" : state;
      io.out(`${id}  ${style.dim(when(createdAt))}  ${safe(message)}  ${mark}\n`);
    }
    return undefined;
  },
});

/** Control characters of a file belong to the patch: it is printed as it is only where no terminal reads it. */
export const diff = renders<{ readonly patch: string }>({
  print: ({ patch }, { io }) => io.out(io.terminal ? plainText(patch) : patch),
});

export const ledger = texts<ShownLedger>(({ invocations }, { style }) =>
  invocations.length === 0
    ? "No tool was called yet.\n"
    : invocations
        .map(({ tool, outcome, effects, startedAt, result }) => {
          const head = `${style.dim(when(startedAt))}  ${tool}  ${outcome}  effects ${effects}`;
          return `${head}\n    ${safe(result?.result ?? "").slice(0, 160)}\n`;
        })
        .join(""),
);

export const config = texts<SessionConfig>(
  ({ kind, model, tools, systemPrompt, snapshotId, configuration, secrets }) => {
    const rows: [string, string][] = [
      ["session", `${kind}, ${model}`],
      ["tools", tools === null ? "all of its kind" : tools.join(", ")],
      ["prompt", systemPrompt === null ? "of its kind" : `your own, ${systemPrompt.length} characters`],
      ["starts from", snapshotId ?? configuration?.snapshotId ?? configuration?.source ?? "an empty workspace"],
    ];
    if (configuration) {
      rows.push(["configuration", `${configuration.id} (${configuration.name}), ${configuration.status}`]);
      for (const { name, command } of configuration.serviceCommands) rows.push(["service", `${name}: ${command}`]);
      for (const { path, keys } of configuration.envFiles)
        rows.push([
          "env file",
          `${path}: ${keys.map(({ key, required }) => `${key}${required ? "" : "?"}`).join(", ")}`,
        ]);
      rows.push(["stored values", secrets.map(({ key }) => key).join(", ") || "none"]);
    }
    return rows.map(([name, value]) => `${name.padEnd(14)} ${safe(value)}\n`).join("");
  },
);

export const actions = texts<ShownActions>(({ sessionId, integrations, pending, decided }, { style }) => {
  const lines = [
    ...(decided ? [`${decided.status}: ${decided.id} ${decided.error ?? ""}`] : []),
    ...pending.flatMap(({ id, integration, action, params }) => [
      `${style.yellow("needs you")}  ${id}  ${integration} ${action} ${JSON.stringify(params).slice(0, 300)}`,
      `    thehood gateway actions ${sessionId} --approve ${id}`,
    ]),
    ...integrations.flatMap(({ integration, displayName, actions: all }) => [
      `${style.bold(integration)}  ${displayName}`,
      ...all.map(({ name, description, mode }) => `    ${name} (${mode.replace("_", " ")}): ${description}`),
    ]),
    ...(integrations.length === 0 ? ["No integration is connected. The guide of the gateway says how."] : []),
  ];
  return `${lines.map(safe).join("\n")}\n`;
});
