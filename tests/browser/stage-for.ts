// A stage for the tests of one file: made before them, ended after them, and nothing left behind.
import { afterAll, beforeAll, expect } from "vitest";
import { PublicStandIns } from "../sites-public/set.ts";
import { StandIns } from "../sites/server.ts";
import { Stage } from "./stage.ts";

/** Where the browser looks for newer parts of itself, whatever it is told. */
const isUpdater = (host: string) => host === "update.googleapis.com" || host.endsWith(".gvt1.com");

export interface StageInUse {
  readonly stage: Stage;
  readonly sites: StandIns;
}

/** The pages of our own knowledge, and those that were written from public evidence by somebody who had not read the drivers. */
export const pageSets = ["first", "public"] as const;
export type PageSetName = (typeof pageSets)[number];

/** A stage for the tests of one file, with somebody logged in everywhere. */
export function stageFor(set: PageSetName = "first"): StageInUse {
  const held: { stage?: Stage; sites?: StandIns } = {};
  beforeAll(async () => {
    held.sites = await (set === "public" ? new PublicStandIns() : new StandIns()).listen();
    held.stage = new Stage(held.sites);
    await held.stage.logIn();
  }, 180_000);
  afterAll(async () => {
    await held.stage?.endBrowser();
    const left = (await held.stage?.processesAfter(5_000)) ?? [];
    held.stage?.dispose();
    await held.sites?.close();
    expect(left).toEqual([]);
    const strangers = held.sites?.strangers.filter((host) => !isUpdater(host));
    expect(strangers).toEqual([]);
  });
  return {
    get stage() {
      return held.stage as Stage;
    },
    get sites() {
      return held.sites as StandIns;
    },
  };
}
