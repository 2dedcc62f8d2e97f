// 1,000 appends, with every second answer cut.
import { it } from "vitest";
import { postgresForTests } from "../many/fleet-scene.ts";
import { loseAnswers } from "./lost-answers.ts";

const server = postgresForTests();

it("[B-22] 1,000 appends with every second answer cut: none is lost and none is written twice", () =>
  loseAnswers(server(), 1_000));
