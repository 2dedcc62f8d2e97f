// A link to the page lets in once, within a minute, and gives a word that only its tab knows.
import { describe, expect, it } from "vitest";
import { allowedFor } from "./act.ts";
import { PageSessions } from "./sessions.ts";

describe("[B-21] a link to the page", () => {
  it("lets in once", () => {
    const sessions = new PageSessions(() => 0);
    const link = sessions.invite();
    const entered = sessions.enter(link);
    expect(sessions.of(entered?.bearer ?? "")).toEqual({ number: 1 });
    expect(sessions.enter(link)).toBeUndefined();
  });

  it("is good for a minute", () => {
    let now = 0;
    const sessions = new PageSessions(() => now);
    const late = sessions.invite();
    now = 60_001;
    expect(sessions.enter(late)).toBeUndefined();
    const soon = sessions.invite();
    now += 60_000;
    expect(sessions.enter(soon)).toBeDefined();
  });

  it("that is older than another one is worth nothing", () => {
    const sessions = new PageSessions(() => 0);
    const old = sessions.invite();
    const newer = sessions.invite();
    expect(sessions.enter(old)).toBeUndefined();
    expect(sessions.enter(newer)).toBeDefined();
  });

  it("is not a bearer, and a bearer is not a link", () => {
    const sessions = new PageSessions(() => 0);
    const link = sessions.invite();
    expect(sessions.of(link)).toBeUndefined();
    const { bearer = "" } = sessions.enter(link) ?? {};
    expect(sessions.enter(bearer)).toBeUndefined();
    expect(sessions.of("")).toBeUndefined();
    expect(sessions.of(`${bearer}x`)).toBeUndefined();
  });
});

describe("[B-21] what a page may ask for", () => {
  it("on a phone is to see and to decide, and nothing that starts or ends work", () => {
    expect([...allowedFor.gates].sort()).toEqual([
      "approve",
      "changes",
      "gate",
      "home",
      "reject",
      "revise",
      "timeline",
    ]);
  });

  it("nowhere changes the configuration, the key or the record", () => {
    const words = /^(config|key|assign|policy|runs (archive|delete)|install|mcp|exec|worker)/;
    expect(allowedFor.all.filter((name) => words.test(name))).toEqual([]);
  });
});
