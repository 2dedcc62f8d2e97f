// The guard as a table: which requests are foreign, on plain loopback, under a given name, and with TLS.
import { describe, expect, it } from "vitest";
import { foreign, sameSecret, turnAway } from "./index.ts";

const plain = { names: [] };
const host = "127.0.0.1:4000";

describe("[S-14][B-21] the guard of our servers", () => {
  it.each([
    [{ host }, true],
    [{ host: "localhost:4000" }, true],
    [{ host: "[::1]:4000" }, true],
    [{ host: "LOCALHOST:4000" }, true],
    [{}, false],
    [{ host: "127.0.0.1" }, false],
    [{ host: "127.0.0.1:4001" }, false],
    [{ host: "localhost.:4000" }, false],
    [{}, false],
    [{ host: "evil.test:4000" }, false],
    [{ host: "evil.test@127.0.0.1:4000" }, false],
    [{ host: "127.1:4000" }, false],
    [{ host, origin: "http://127.0.0.1:4000" }, true],
    [{ host, origin: "http://127.0.0.1:4001" }, false],
    [{ host, origin: "http://127.0.0.1" }, false],
    [{ host, origin: "https://127.0.0.1:4000" }, false],
    [{ host, origin: "null" }, false],
    [{ host, origin: "http://127.0.0.1:4000.evil.test" }, false],
    [{ host, "sec-fetch-site": "same-origin" }, true],
    [{ host, "sec-fetch-site": "none" }, true],
    [{ host, "sec-fetch-site": "same-site" }, false],
    [{ host, "sec-fetch-site": "cross-site" }, false],
    [{ host, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" }, true],
    [{ host, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" }, false],
    [{ host, "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }, false],
  ])("%j is let in: %s", (headers, welcome) => {
    expect(foreign(headers, plain, 4000) === undefined).toBe(welcome);
  });

  it("a name that a person gave is served behind a proxy, and no other", () => {
    const served = { names: ["box.lan"] };
    expect(foreign({ host: "box.lan", origin: "https://box.lan" }, served, 4000)).toBeUndefined();
    expect(foreign({ host: "box.lan.evil.test" }, served, 4000)).toMatchObject({ status: 403 });
  });

  it("a name without a proxy before it is served with its own port and scheme only", () => {
    const lan = { names: ["192.168.0.7"], secure: true, exact: true };
    const own = "192.168.0.7:4000";
    expect(foreign({ host: own, origin: `https://${own}` }, lan, 4000)).toBeUndefined();
    expect(foreign({ host: own, origin: `http://${own}` }, lan, 4000)).toMatchObject({ status: 403 });
    expect(foreign({ host: own, origin: "https://192.168.0.7:1" }, lan, 4000)).toMatchObject({ status: 403 });
    expect(foreign({ host: "192.168.0.7" }, lan, 4000)).toMatchObject({ status: 403 });
  });

  it("with TLS the usual port and scheme are those of TLS", () => {
    const secure = { names: [], secure: true };
    expect(foreign({ host: "localhost", origin: "https://localhost" }, secure, 443)).toBeUndefined();
    expect(foreign({ host: "localhost:80" }, secure, 443)).toMatchObject({ status: 403 });
    expect(foreign({ host, origin: "http://127.0.0.1:4000" }, secure, 4000)).toMatchObject({ status: 403 });
  });

  it("a token of any length is compared, and only the right one passes", () => {
    const guard = { ...plain, token: "right" };
    for (const authorization of [undefined, "Bearer", "Bearer wrong", "Basic right", "Bearer right right"])
      expect(turnAway({ host, authorization }, guard, 4000)).toMatchObject({ status: 401 });
    expect(turnAway({ host, authorization: "bearer right" }, guard, 4000)).toBeUndefined();
    expect(sameSecret("", "x")).toBe(false);
  });
});
