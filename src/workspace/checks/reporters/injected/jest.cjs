// A reporter of jest, beside the one that prints. It runs in jest's main process.
"use strict";
const { basename } = require("node:path");
const { openChannel } = require("./channel.cjs");

module.exports = class Report {
  constructor() {
    this.channel = openChannel("jest");
  }

  /** The name that every version of jest knows. */
  onTestResult(test, { testResults }) {
    for (const { ancestorTitles, title, status } of testResults) {
      const ended = status === "passed" || status === "failed" ? status : "left";
      this.channel.test([basename(test.path), ...ancestorTitles, title].join(" > "), ended);
    }
  }

  async onRunComplete(_contexts, { numTotalTests, numFailedTests, numRuntimeErrorTestSuites }) {
    await this.channel.end(numTotalTests, numFailedTests + numRuntimeErrorTestSuites > 0);
  }
};
