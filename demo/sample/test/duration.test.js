import assert from "node:assert/strict";
import { test } from "node:test";
import { minutes } from "../src/duration.js";

test("minutes alone", () => assert.equal(minutes("45m"), 45));

test("hours and minutes", () => assert.equal(minutes("1h30m"), 90));

test("hours alone", () => assert.equal(minutes("2h"), 120));
