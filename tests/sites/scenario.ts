// How a stand-in behaves in one case. Every field is a way in which a real page can fail a naive driver.

export interface Scenario {
  /** Markdown, one for each message of the user. The last one is repeated. */
  readonly answers: readonly string[];
  // Start
  readonly composerMs: number;
  readonly announcement: boolean;
  readonly strangeDialog: boolean;
  /** A hidden second composer stands before the real one. */
  readonly decoy: boolean;
  readonly language: "en" | "de" | "ja";
  readonly weakChallenge: boolean;
  readonly wall: "none" | "logged_out" | "challenge" | "throttle" | "throttle_after_send" | "login_after_send";
  /** Somebody logs in on the logged-out page after a moment. */
  readonly autoLogin: boolean;
  readonly composerGone: boolean;
  // Insertion and sending
  readonly cutPromptAt: number | null;
  readonly swallowedPresses: number;
  /** The page shows the message and empties the composer only after this long, although it was sent at once. */
  readonly slowSendMs: number;
  readonly sendNeverShows: boolean;
  // Files
  readonly uploadMs: number;
  readonly chip: "same" | "numbered" | "ellipsis" | "nameless" | "vanishes" | "early";
  readonly upload: "ok" | "fails" | "toast" | "never";
  // Streaming
  readonly thinkingMs: number;
  /** A text with finished marks that stands in the turn while it thinks. */
  readonly interim: string | null;
  /** No stop button is shown. */
  readonly stopHidden: boolean;
  /** The conversation gets no address. */
  readonly noAddress: boolean;
  /** A request that has nothing to do with the answer stays open and brings data. */
  readonly longPoll: boolean;
  /** A short message outside of the conversation. */
  readonly notice: string | null;
  /** What the page does with a message; null where it has no choice. */
  readonly mode: "Chat" | "Work" | "Ask" | "Agent" | null;
  readonly modeFixed: boolean;
  readonly preamble: string | null;
  readonly chunks: number;
  readonly chunkMs: number;
  readonly pauses: readonly number[];
  readonly stopFlickers: boolean;
  readonly replaceNode: boolean;
  // The end
  readonly done: "normal" | "early" | "flickers" | "never";
  readonly end: "normal" | "cut" | "banner" | "reload" | "navigate" | "network";
  // Rendering
  readonly collapsed: boolean;
  readonly lineNumbers: boolean;
  readonly highlight: boolean;
  /** So many pictures stand below a finished answer. */
  readonly pictures: number;
  /** Names of files that a finished answer offers. */
  readonly files: readonly string[];
  readonly copy: "text" | "item" | "fails" | "part" | "old" | "none";
  // Models
  readonly models: readonly string[];
  readonly model: string;
  readonly modelReverts: boolean;
  readonly answeringModel: string | null;
  readonly modelInSubmenu: boolean;
}

export const plainScenario: Scenario = {
  answers: ["Hello."],
  composerMs: 0,
  announcement: false,
  strangeDialog: false,
  decoy: true,
  language: "en",
  weakChallenge: true,
  wall: "none",
  autoLogin: false,
  composerGone: false,
  cutPromptAt: null,
  swallowedPresses: 0,
  slowSendMs: 0,
  sendNeverShows: false,
  uploadMs: 50,
  chip: "same",
  upload: "ok",
  thinkingMs: 50,
  interim: null,
  stopHidden: false,
  noAddress: false,
  longPoll: false,
  notice: null,
  mode: null,
  modeFixed: false,
  preamble: null,
  chunks: 4,
  chunkMs: 30,
  pauses: [],
  stopFlickers: false,
  replaceNode: false,
  done: "normal",
  end: "normal",
  collapsed: false,
  lineNumbers: false,
  highlight: true,
  pictures: 0,
  files: [],
  copy: "text",
  models: ["Auto", "Thinking", "Pro"],
  model: "Auto",
  modelReverts: false,
  answeringModel: null,
  modelInSubmenu: false,
};
