// The door to pull requests as text for a run.
export { ciOf, type CiState, type ForgeRequest, type RequestCheck, type RequestComment } from "./request.ts";
export { textField } from "./fields.ts";
export { githubFields, githubRequest, githubThreads } from "./github.ts";
export { gitlabRequest, pipelineOf } from "./gitlab.ts";
export { commentsText, failedChecks, requestTexts, type QuotedText } from "./texts.ts";
