// A repository may lie at a path with any characters: a whole run works there, HOME included. A backslash is left out:
// `node --test` itself does not work below one.
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { fixing, openTestDesk, stub } from "./program.ts";

it.each(["a+b with  space", `it's "quoted" $HOME \`x\` 50% #1 & ;`, "-dash [id]{x}*?! ünï 漢字 👩‍💻", "two\nlines"])(
  "a run in a folder named %j ends in verified work, and its record holds",
  (name) => {
    const { thehood: ask, repo } = openTestDesk();
    const cwd = join(tempFolder(), name, "repo");
    const HOME = join(tempFolder(), name);
    mkdirSync(HOME);
    cpSync(repo.dir, cwd, { recursive: true });
    const thehood = (...args: string[]) => ask(args, { cwd, env: { HOME, THEHOOD_HOME: join(HOME, "config") } });
    const asked = ["run", "make add() add", "--team", "stub", "--approvals", "autopilot", "--json"];
    const done = thehood(...asked, ...stub(fixing));
    expect(done.code, done.out + done.err).toBe(0);
    const { runId } = done.json<{ runId: string }>();
    expect(readFileSync(join(cwd, "src/add.js"), "utf8")).toContain("a + b");
    const { claims } = thehood("report", runId, "--json").json<{
      claims: { kind: string; standing: string }[];
    }>();
    expect(claims.filter(({ kind }) => kind === "check")).toMatchObject([{ standing: "proven" }]);
    expect(thehood("log", "verify").code).toBe(0);
    expect(thehood("undo", runId, "--json").code).toBe(0);
    expect(readFileSync(join(cwd, "src/add.js"), "utf8")).toContain("a - b");
  },
);
