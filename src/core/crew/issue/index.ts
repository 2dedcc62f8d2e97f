// The door to issues as goals.
export { criteriaOf, longestIssue, readIssueText, warningsOf, type Issue } from "./issue.ts";
