import { describe, expect, it } from "vitest";
import { Tabs } from "./tabs.ts";

const owner = { pid: 1, startedAt: "then", host: "here" };
const tab = (key: string, client: number) => ({
  key,
  owner,
  client,
  targetId: `t-${key}`,
  sessionId: `s-${key}`,
});
const table = () => new Tabs({ maxTabs: 2, orphanMs: 100, leaseMs: 1_000 });

describe("the table of tabs", () => {
  it("has room for so many, those that are being opened counted", () => {
    const tabs = table();
    expect(tabs.hasRoom(1)).toBe(true);
    expect(tabs.hasRoom(2)).toBe(false);
    tabs.add(tab("a", 1), 0);
    expect(tabs.hasRoom(1)).toBe(false);
  });

  it("gives the tab of a dead run to its successor only, and only while it waits", () => {
    const tabs = table();
    tabs.add(tab("a", 1), 0);
    expect(tabs.takeOver("a", 2, owner, 10)).toBeUndefined();
    tabs.orphan(1, 10);
    expect(tabs.takeOver("b", 2, owner, 20)).toBeUndefined();
    expect(tabs.takeOver("a", 2, owner, 20)).toMatchObject({ client: 2, targetId: "t-a" });
    expect(tabs.of(1)).toBeUndefined();
  });

  it("an orphan expires soon, a lease that is renewed late", () => {
    const tabs = table();
    tabs.add(tab("a", 1), 0);
    tabs.add(tab("b", 2), 0);
    tabs.orphan(1, 0);
    tabs.renew(2, 500);
    expect(tabs.expired(99)).toEqual([]);
    expect(tabs.expired(100).map(({ key }) => key)).toEqual(["a"]);
    expect(tabs.expired(1_000).map(({ key }) => key)).toEqual(["a"]);
    expect(tabs.expired(1_500).map(({ key }) => key)).toEqual(["a", "b"]);
  });

  it("the oldest orphan gives way when there is no room; a tab in use never does", () => {
    const tabs = table();
    tabs.add(tab("a", 1), 0);
    tabs.add(tab("b", 2), 0);
    expect(tabs.spare()).toBeUndefined();
    tabs.orphan(2, 5);
    tabs.orphan(1, 10);
    expect(tabs.spare()?.key).toBe("b");
    tabs.drop("t-b");
    expect(tabs.spare()?.key).toBe("a");
  });
});
