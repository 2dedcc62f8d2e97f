import { describe, expect, it, vi } from "vitest";
import { changeOf, hash, resultGate } from "../../../../tests/support/result-gate.ts";
import type { StartSummary } from "../../../core/machine/view/index.ts";
import { lineWidth, plainOf } from "../text/line.ts";
import type { GateOptions } from "./gate-answers.ts";
import { createGateView } from "./gate-view.ts";
import type { ScreenView, ViewDeps } from "./view.ts";

function scene(given = resultGate(), size = { columns: 80, rows: 24 }, delivery?: GateOptions["delivery"]) {
  const act = vi.fn<(...args: unknown[]) => Promise<undefined>>(async () => undefined);
  let opened: ScreenView | undefined;
  let note: readonly { text: string; tone: "plain" }[] = [];
  const edit = vi.fn<(text: string) => Promise<string | null>>(async () => null);
  const deps = {
    act,
    edit,
    redraw: () => undefined,
    note: () => note,
    showNote: (line: typeof note) => (note = line),
    spell: () => "",
    open: (view: ScreenView) => (opened = view),
    back: () => undefined,
  };
  const options = { deps: deps as unknown as ViewDeps, ...given, delivery, recordOnly: true, decided: () => undefined };
  const view = createGateView({ ...options, later: () => undefined } as unknown as GateOptions);
  const rows = (shown: ScreenView = view) => shown.frame(size, 0).map(plainOf);
  const press = (...keys: string[]) =>
    keys.forEach((key) => {
      note = [];
      view.key(key, size);
      view.frame(size, 0);
    });
  return { act, edit, rows, press, opened: () => opened, view, size };
}

const text = (rows: readonly string[]) => rows.join("\n");
/** A question may go on in the next row. */
const flow = (rows: readonly string[]) => rows.join(" ").replaceAll(/\s+/g, " ");

describe("[B-32] the start gate", () => {
  const start: StartSummary = {
    works: { agent: "codex-cli:work", where: "in its own worktree; your files are not touched" },
    verifies: "claude-code:sonnet",
    checks: [],
    sends: "nothing leaves this machine",
    limit: "at most 12 model calls",
    plan: "one small step",
    from: ["issue 28 (https://github.com/o/r/issues/28): Add (73 bytes, sha256:abababababab)"],
    criteria: ["it adds"],
    crew: [],
    warnings: ["The text that the run began with: It asks for secrets: “print env”"],
  };
  const atStart = () =>
    scene(resultGate(changeOf(3), {}, { sort: "start", start, result: null, branch: null, questions: {} }));

  it("shows whose words it began with, what in them speaks to agents, and what must be true, on one small screen", () => {
    const shown = flow(atStart().rows());
    const order = ["It asks for secrets", "issue 28", "done when it adds", "codex-cli:work", "g goal"];
    const places = order.map((one) => shown.replaceAll(/ +/g, " ").indexOf(one));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(shown).toContain("l later");
  });

  it.each([
    [{ unit: "usd", runs: 2, low: 0.5, high: 1.25, last: 1.25, estimated: true }, "usually about $0.50–$1.25"],
    [{ unit: "tokens", runs: 1, low: 23_594, high: 23_594, last: 23_594, estimated: false }, "usually 23,594 tokens"],
  ] as const)("says what the last runs here took: %o", (usual, words) => {
    const { gate, open } = resultGate(changeOf(3), {}, { sort: "start", start, result: null, questions: {} });
    expect(flow(scene({ gate, open: { ...open, usual } }).rows())).toContain(words);
  });

  it("takes another goal and other criteria from the editor, after a question that names them", async () => {
    const { act, edit, press, rows } = atStart();
    rows();
    press("g");
    await vi.waitFor(() => expect(flow(rows())).toContain("Nothing was changed"));
    edit.mockImplementation(async (draft) => draft.replace("it adds", "it adds\nand nothing else"));
    press("g");
    await vi.waitFor(() => expect(flow(rows())).toContain("Start with 2 criteria? y/n"));
    press("y");
    expect(act).toHaveBeenCalledWith(
      "approve",
      expect.objectContaining({ sha256: hash, acceptanceCriteria: ["it adds", "and nothing else"] }),
    );
  });
});

describe("[B-32] the result gate", () => {
  it.each([
    { columns: 80, rows: 24 },
    { columns: 140, rows: 40 },
  ])("fits $columns × $rows for ten changed lines, with the diff before the checks", (size) => {
    const { rows, view } = scene(resultGate(), size);
    const shown = rows();
    expect(shown.length).toBeLessThanOrEqual(size.rows);
    expect(view.frame(size, 0).every((one) => lineWidth(one) <= size.columns)).toBe(true);
    const all = text(shown);
    const order = [
      "Ignore commas and semicolons",
      "2 files +9 −1 · checks ✔ 3 of 3 · verifier ✔ · ⚠ changes a test",
      "Would your tests notice a mistake in the changed lines?  5 of 6 planted: mostly",
      "sum.go",
      "sum_test.go  changed test: needs your yes",
      "with the old tests  mistakes noticed",
      "go test ./...",
      "“The change does what was asked and nothing else.”",
      "a apply",
    ];
    const places = order.map((one) => all.indexOf(one));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(all.match(/^ *\d+ [-+]/gm)).toHaveLength(10);
    expect(shown[0]).toMatch(/gosum {2}1 min 47 s {2}\$0\.34$/);
    // Hashes are one key away.
    expect(all).not.toContain(hash.slice(0, 8));
  });

  it("takes an honest change with two keys, bound to the hash of everything", () => {
    const { act, press, rows } = scene();
    rows();
    press("a");
    expect(text(rows())).toContain("Apply 2 files and accept the changed test sum_test.go? y/n");
    press("y");
    expect(act).toHaveBeenCalledWith(
      "approve",
      expect.objectContaining({ sha256: hash, message: "protected test changes; apply isolated patch" }),
    );
  });

  it("commits on a new branch with b, and makes it a pull request with p, after a question that names both", () => {
    const { act, press, rows } = scene();
    rows();
    press("b");
    expect(flow(rows())).toContain("New branch: ignore-commas▏");
    press("ctrl-u", ..."fix/sum", "enter");
    expect(flow(rows())).toContain(
      "Commit 2 files on the new branch fix/sum and accept the changed test sum_test.go? y/n",
    );
    press("n");
    expect(act).not.toHaveBeenCalled();
    press("p", "enter");
    expect(flow(rows())).toContain(
      "Commit 2 files on the new branch ignore-commas, push it to origin (https://example.com/o/r.git), open a draft pull request",
    );
    press("y");
    expect(act).toHaveBeenCalledWith(
      "approve",
      expect.objectContaining({ sha256: hash, toBranch: "ignore-commas", pullRequest: true }),
    );
  });

  it("opened for a branch, asks about that branch, and asks for its name where a pull request was named alone", () => {
    const size = { columns: 80, rows: 24 };
    const named = scene(resultGate(), size, { toBranch: "fix/sum" });
    named.rows();
    named.press("a");
    expect(flow(named.rows())).toContain("Commit 2 files on the new branch fix/sum and accept");
    named.press("y");
    expect(named.act).toHaveBeenCalledWith("approve", expect.objectContaining({ sha256: hash, toBranch: "fix/sum" }));
    const request = scene(resultGate(), size, { pullRequest: true });
    request.rows();
    request.press("a");
    expect(flow(request.rows())).toContain("Pull request from the new branch: ignore-commas▏");
    request.press("enter", "y");
    expect(request.act).toHaveBeenCalledWith(
      "approve",
      expect.objectContaining({ toBranch: "ignore-commas", pullRequest: true }),
    );
  });

  it("begins with the answer where the tests do not look at the change, and then with the doubts", () => {
    const noticed = {
      answer: "no",
      planted: 2,
      noticed: 0,
      text: "Your tests do not look at the changed lines (0 of 2 mistakes noticed)",
    } as const;
    const doubts = [
      { kind: "unreached", place: "Sum", measure: "", text: "no check notices when this is broken: Sum" },
    ];
    const { rows } = scene(resultGate(changeOf(10), { noticed, doubts: doubts as never }));
    const shown = rows();
    expect(shown[2]).toBe("⚠ Your tests do not look at the changed lines (0 of 2 mistakes noticed)");
    const all = text(shown);
    expect(all.indexOf("no check notices when this is broken: Sum")).toBeLessThan(all.indexOf("2 files +9 −1"));
  });
});

describe("[B-4] the result gate", () => {
  it("offers no approval before the end of the change was on the screen", () => {
    const { act, press, rows } = scene(resultGate(changeOf(60)));
    expect(text(rows())).toContain("scroll on to approve");
    press("a");
    expect(text(rows())).toContain("Scroll to the end of the change first");
    press("y");
    expect(act).not.toHaveBeenCalled();
    press("end", "a");
    expect(text(rows())).toContain("accept the changed test sum_test.go? y/n");
    press("y");
    expect(act).toHaveBeenCalledOnce();
  });

  it("has everything that an answer covers one key away, and cuts nothing of it", () => {
    const { press, opened, rows, size } = scene();
    press("e");
    const view = opened();
    if (!view) throw new Error("no view was opened");
    const seen: string[] = [];
    for (let page = 0; page < 20; page += 1) {
      seen.push(...rows(view).slice(2, -2));
      view.key(" ", size);
    }
    const all = seen.join("").replaceAll(" ", "");
    expect(all).toContain(hash);
    expect(all).toContain("protectedtestchanges;applyisolatedpatch");
    expect(all).toContain("gategate_1(protected_patch_changes)ofrun_1");
  });
});
