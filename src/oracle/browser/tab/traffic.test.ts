import { describe, expect, it } from "vitest";
import { Traffic } from "./traffic.ts";

function open(url: string, method = "GET", kind = "Fetch"): Traffic {
  const traffic = new Traffic();
  traffic.home = "chatgpt.com";
  traffic.hosts = [/(^|\.)githubcopilot\.com$/];
  traffic.take("Network.requestWillBeSent", { requestId: 1, type: kind, request: { method, url } }, 1_000);
  return traffic;
}
const data = (traffic: Traffic, ...at: number[]) => {
  for (const now of at) traffic.take("Network.dataReceived", { requestId: 1 }, now);
  return traffic;
};

describe("the traffic that carries an answer", () => {
  it("is a request of the page itself that sends or brings data", () => {
    expect(open("https://chatgpt.com/c", "POST").flowing(0, 2_000, 60_000, 0)).toBe(true);
    expect(open("https://chatgpt.com/c").flowing(0, 2_000, 60_000, 0)).toBe(false);
    expect(data(open("https://chatgpt.com/c"), 1_500).flowing(0, 2_000, 60_000, 0)).toBe(true);
    expect(open("https://api.githubcopilot.com/c", "POST").flowing(0, 2_000, 60_000, 0)).toBe(true);
  });
  it("is never a long poll of another host, and its end breaks nothing", () => {
    const poll = data(open("https://signaler-pa.clients6.google.com/punctual", "POST"), 1_500, 1_900);
    expect(poll.flowing(0, 2_000, 60_000, 0)).toBe(false);
    poll.take("Network.loadingFailed", { requestId: 1, errorText: "x" }, 3_000);
    expect(poll.brokenSince(0)).toBeNull();
  });
  it("is not a request that goes on bringing pieces without a new word", () => {
    const ping = data(open("https://chatgpt.com/ping"), 4_000, 7_000, 10_000, 13_000);
    expect(ping.flowing(0, 13_100, 60_000, 12_000)).toBe(true);
    expect(ping.flowing(0, 13_100, 60_000, 2_000)).toBe(false);
    // The reply to the message itself may pause for long, with signs of life.
    const reply = data(open("https://chatgpt.com/c", "POST"), 4_000, 7_000, 10_000, 13_000);
    expect(reply.flowing(0, 13_100, 60_000, 2_000)).toBe(true);
  });
  it("an open request that sends data anywhere is an upload under way", () => {
    const upload = open("https://files.example/put", "PUT");
    expect(upload.sending).toBe(true);
    upload.take("Network.loadingFinished", { requestId: 1 }, 2_000);
    expect(upload.sending).toBe(false);
  });
});
