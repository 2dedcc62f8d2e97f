// The real programs join the provider conformance suite, each asking a scripted model on loopback.
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { providerConformance, titleOf, type SceneMaker } from "../support/conformance/index.ts";
import { binDir, missing, titled } from "./installed.ts";
import { openScene, playing } from "./scene.ts";
import { type Scripted, type ScriptedProgram, scriptedPrograms } from "./scripted.ts";

const folder = tempFolder("thehood-broken-");

/** A program of the same name that ends in its own way. */
function broken(scripted: Scripted, name: string, lines: string): SceneMaker {
  const path = join(folder, `${scripted.bin}-${name}`);
  writeFileSync(path, `#!/bin/sh\ncase "$*" in *--version*) echo 99.0.0; exit;; esac\n${lines}\n`);
  chmodSync(path, 0o755);
  return () => openScene(scripted, {}, {}, { settings: { program: path } });
}

/** Long without repeating itself, which some agents take for a model gone mad. */
const countingTo = (end: number) => Array.from({ length: end }, (_, at) => at).join(" ");

const hello = { do: "write", path: "hello.txt", text: "hello\n" } as const;

function joins(scripted: ScriptedProgram): void {
  describe.skipIf(missing(scripted.bin))(titled(`${scripted.id} joins the suite`, scripted.bin), () => {
    const cases = providerConformance({
      scenes: {
        answers: playing(scripted, {}),
        edits: playing(scripted, { actions: [hello] }),
        refuses: playing(scripted, { text: "I cannot help with that." }),
        garbage: playing(scripted, { text: "{]" }),
        staleAck: playing(scripted, { answer: { ack: "stale" } }),
        // About 29 kB. OpenCode may end before a pipe has taken more (seen 2026-11), and then it has not answered at all.
        oversize: playing(scripted, { text: countingTo(6_000) }),
        silent: playing(scripted, { behave: "hang" }),
        stallsMidStream: playing(scripted, { behave: "stall" }),
        exitsAtOnce: broken(scripted, "exits", "exit 3"),
        exitsUnread: broken(scripted, "unread", "exec <&-; exit 3"),
        crashesMidStream: broken(scripted, "crashes", 'cat >/dev/null; printf \'{"type":"res\'; kill -9 $$'),
        busyOnce: playing(scripted, { status: { code: 429, times: 1 } }),
        overloadedOnce: playing(scripted, { status: { code: 529, times: 1 } }),
        alwaysBusy: playing(scripted, { status: { code: 429, times: 1_000 } }),
        loginMissing: () => openScene(scripted, {}, {}, { settings: {}, variables: withoutKeys() }),
        absent: () => openScene(scripted, {}, {}, { settings: { program: "/nowhere/agent" } }),
      },
      typo: scripted.typo,
      patienceMs: 6_000,
      timeoutMs: 120_000,
    });
    for (const one of cases) it.skipIf(one.skip !== undefined)(titleOf(one), () => one.run());
  });
}

const withoutKeys = () => ({ PATH: `${binDir}:${process.env["PATH"] ?? ""}` });

for (const scripted of scriptedPrograms) joins(scripted);
