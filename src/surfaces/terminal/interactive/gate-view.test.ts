import { describe, expect, it, vi } from "vitest";
import { changeOf, hash, resultGate } from "../../../../tests/support/result-gate.ts";
import { lineWidth, plainOf } from "../text/line.ts";
import type { GateOptions } from "./gate-answers.ts";
import { createGateView } from "./gate-view.ts";
import type { ScreenView, ViewDeps } from "./view.ts";

function scene(given = resultGate(), size = { columns: 80, rows: 24 }) {
  const act = vi.fn<(...args: unknown[]) => Promise<undefined>>(async () => undefined);
  let opened: ScreenView | undefined;
  let note: readonly { text: string; tone: "plain" }[] = [];
  const deps = {
    act,
    redraw: () => undefined,
    note: () => note,
    showNote: (line: typeof note) => (note = line),
    spell: () => "",
    open: (view: ScreenView) => (opened = view),
    back: () => undefined,
  };
  const options = { deps: deps as unknown as ViewDeps, ...given, recordOnly: true, decided: () => undefined };
  const view = createGateView({ ...options, later: () => undefined } as unknown as GateOptions);
  const rows = (shown: ScreenView = view) => shown.frame(size, 0).map(plainOf);
  const press = (...keys: string[]) =>
    keys.forEach((key) => {
      note = [];
      view.key(key, size);
      view.frame(size, 0);
    });
  return { act, rows, press, opened: () => opened, view, size };
}

const text = (rows: readonly string[]) => rows.join("\n");

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
      "Would your tests notice a mistake in the changed lines?  5 of 6 planted: yes",
      "sum_test.go  changed test: needs your yes",
      "sum.go",
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

  it("begins with the answer where the tests do not look at the change, and then with the doubts", () => {
    const noticed = {
      answer: "no",
      planted: 2,
      noticed: 0,
      text: "Your tests do not look at these lines (0 of 2 mistakes noticed)",
    } as const;
    const doubts = [
      { kind: "unreached", place: "Sum", measure: "", text: "no check notices when this is broken: Sum" },
    ];
    const { rows } = scene(resultGate(changeOf(10), { noticed, doubts: doubts as never }));
    const shown = rows();
    expect(shown[2]).toBe("⚠ Your tests do not look at these lines (0 of 2 mistakes noticed)");
    const all = text(shown);
    expect(all.indexOf("no check notices when this is broken: Sum")).toBeLessThan(all.indexOf("sum_test.go"));
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
