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
  readonly language: "en" | "de";
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
  copy: "text",
  models: ["Auto", "Thinking", "Pro"],
  model: "Auto",
  modelReverts: false,
  answeringModel: null,
  modelInSubmenu: false,
};
