import { describe, expect, it } from "vitest";
import { readsLikeGit } from "../../../tests/support/config-compare.ts";
import { ConfigSyntaxError, settingKey, parseConfig } from "./index.ts";

describe("reading a git configuration without git", () => {
  it.each([
    ["[core]\n\tfsmonitor = x\n", ["core.fsmonitor=x"]],
    ["[CORE]FSMonitor=x", ["core.fsmonitor=x"]],
    ['[filter "A.b"]\nclean = "a # b" ; c', ["filter.A.b.clean=a # b"]],
    ["[filter.A]\nclean", ["filter.a.clean=null"]],
    ['[filter.x "y"]\r\nclean = a\\\r\nb\r\n', ["filter.x.y.clean=ab"]],
    ['\uFEFF[a "b\\"c\\\\"] k = "v\\tw\\n\\"" # x', ['a.b"c\\.k=v\tw\n"']],
    ["# c\n; c\n\n[a]\nb=  c  d  \n", ["a.b=c  d"]],
  ])("%j", (text, keys) => {
    expect(parseConfig(text).map((entry) => `${settingKey(entry)}=${entry.value}`)).toEqual(keys);
  });

  it.each([
    "[core\n",
    "key = 1\n",
    "[a]\n1 = 2\n",
    '[a]\nk = "x\n',
    "[a]\nk = \\q\n",
    '[a "b\n"]\n',
    "[a b]\n",
    "[a]\nk v\n",
    "]\n",
    "[a]\n\0\n",
  ])("refuses %j", (text) => {
    expect(() => parseConfig(text)).toThrow(ConfigSyntaxError);
  });

  it("sees every key that git sees", () => readsLikeGit(150));
});
