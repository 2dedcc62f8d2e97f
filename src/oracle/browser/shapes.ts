// The shapes that page code and the drivers exchange. Types only: page code is compiled for the page, drivers for Node.

/** The selectors, labels and marks of one site, as its data file has them. Lists are tried in order. */
export interface Marks {
  readonly composer: readonly string[];
  readonly send: readonly string[];
  readonly stop: readonly string[];
  readonly stopExcept: readonly string[];
  /** One message of a conversation. */
  readonly turn: readonly string[];
  /** Attributes that name a turn, also when its node is replaced. */
  readonly turnKey: readonly string[];
  /** A turn is the user's when it matches or holds one of these. */
  readonly user: readonly string[];
  readonly assistant: readonly string[];
  /** The text of an assistant's turn. */
  readonly body: readonly string[];
  /** Text of the user's turn. */
  readonly userText: readonly string[];
  /** In the turn, visible only when it is finished. */
  readonly done: readonly string[];
  /** Anywhere on the page, all of them visible while no text is written. Empty where the site has no such mark. */
  readonly idle: readonly string[];
  /** In the turn or beside the composer, while something is being written. */
  readonly busy: readonly string[];
  /** Whole texts of a turn that are placeholders for the answer, as regular expressions. */
  readonly placeholder: readonly string[];
  readonly copy: readonly string[];
  /** Buttons in the turn that open folded code. */
  readonly collapsed: readonly string[];
  /** Inside code blocks: line numbers, headers, buttons. */
  readonly codeNoise: readonly string[];
  readonly turnModel: readonly string[];
  readonly fileInput: readonly string[];
  readonly attachOpener: readonly string[];
  readonly attachItem: readonly string[];
  readonly chip: readonly string[];
  /** Around the composer: chips are searched only in here. */
  readonly chipScope: readonly string[];
  readonly chipBusy: readonly string[];
  readonly uploadError: readonly string[];
  readonly modelButton: readonly string[];
  readonly modelOption: readonly string[];
  readonly modelSubmenu: readonly string[];
  readonly loggedIn: readonly string[];
  readonly loggedOut: readonly string[];
  readonly challenge: readonly string[];
  readonly challengeTitle: readonly string[];
  readonly dialog: readonly string[];
  readonly throttleText: readonly string[];
  readonly announcement: readonly string[];
  readonly announcementClose: readonly string[];
  readonly errorBanner: readonly string[];
}

export interface TurnLook {
  readonly key: string;
  readonly role: "user" | "assistant";
  /** The first characters with white space taken out. */
  readonly head: string;
  readonly length: number;
}

/** The newest answer: the last assistant's turn after the last user's turn. */
export interface AnswerLook {
  readonly key: string;
  readonly markdown: string;
  readonly done: boolean;
  readonly busy: boolean;
  readonly placeholder: boolean;
  readonly model: string | null;
}

export interface ChipLook {
  /** All texts that may name it: its label, title and text. */
  readonly names: readonly string[];
  readonly busy: boolean;
}

export interface PageSnapshot {
  readonly url: string;
  readonly title: string;
  readonly loaded: boolean;
  readonly challenge: boolean;
  readonly loggedIn: boolean;
  readonly loggedOut: boolean;
  readonly throttled: string | null;
  readonly announcement: boolean;
  /** The text of an unknown dialog. */
  readonly dialog: string | null;
  readonly composer: { readonly text: string } | null;
  readonly send: { readonly enabled: boolean } | null;
  readonly stop: boolean;
  readonly idle: boolean;
  readonly chips: readonly ChipLook[];
  readonly uploadError: string | null;
  readonly turns: readonly TurnLook[];
  readonly answer: AnswerLook | null;
  readonly errorBanner: string | null;
  readonly model: string | null;
}

/** Where to press, in the coordinates of the window. */
export interface Aim {
  readonly found: boolean;
  /** Another element covers it. */
  readonly covered: boolean;
  readonly x: number;
  readonly y: number;
  readonly selector: string;
}

export interface OptionLook {
  readonly label: string;
  readonly id: string;
  readonly submenu: boolean;
}

export interface Captured {
  readonly markdown: string;
  readonly html: string;
  /** The text of each code block, for comparison with what the copy button gave. */
  readonly code: readonly string[];
}

/** Whether each list of selectors finds something, for `oracle browser check`. */
export interface Probe {
  readonly name: string;
  readonly found: string | null;
  readonly visible: boolean;
}

/** The functions that page code offers, by name. */
export interface PageCode {
  look(marks: Marks): PageSnapshot;
  aim(selectors: readonly string[], within: "page" | "answer", marks: Marks): Aim;
  focusComposer(marks: Marks): boolean;
  clearComposer(marks: Marks): boolean;
  options(marks: Marks): readonly OptionLook[];
  aimOption(marks: Marks, id: string): Aim;
  openFolded(marks: Marks): number;
  capture(marks: Marks): Captured | null;
  fileInput(marks: Marks): { readonly selector: string; readonly index: number } | null;
  element(selector: string, index: number): unknown;
  snapshot(): string;
  /** Hides the account while a screenshot is taken. */
  veil(marks: Marks, on: boolean): void;
  probe(marks: Marks): readonly Probe[];
}

/** The code that runs in the page's own JavaScript world while a copy button is pressed. */
export interface ClipboardCode {
  arm(): void;
  taken(): string | null;
  disarm(): void;
}
