// Played runs for the tests of views.
import { type Cast, Play, autopilot } from "./play.ts";

export const done = (cast: Cast = {}, more = {}) => new Play({ policy: autopilot, ...more }, cast).go();

export const revise = {
  replies: {
    verifier: [
      { payload: { verdict: "revise", summary: "no", failedCriteria: ["x"] } },
      { payload: { verdict: "approve", summary: "yes" } },
    ],
  },
};
