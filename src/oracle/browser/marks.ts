// What the data file of a site says about its page. Types only: page code uses them too.

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
  /** In the turn: pictures that were made for the answer. */
  readonly madePicture: readonly string[];
  /** In the turn: links and buttons that download a file which was made for the answer. */
  readonly madeFile: readonly string[];
  readonly turnModel: readonly string[];
  /** Attributes in a turn that name the model which answered. */
  readonly turnModelAttr: readonly string[];
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
  /** In an option or in the button: the label without its description. Empty where the whole text is the label. */
  readonly modelLabel: readonly string[];
  readonly modelSubmenu: readonly string[];
  /** In the open menu: opens the view with the models, where the menu shows the effort first. */
  readonly modelView: readonly string[];
  /** In the open menu: takes the arrow keys that change the effort; its description names the chosen effort. */
  readonly effortControl: readonly string[];
  /** A second button with a menu of its own for the effort. */
  readonly effortButton: readonly string[];
  /** Opens the menu of tools beside the composer. */
  readonly toolOpener: readonly string[];
  readonly toolItem: readonly string[];
  /** Shows the chosen tool, beside the composer or in it. */
  readonly toolChosen: readonly string[];
  /** In the composer: elements that are no text of the message. */
  readonly composerNoise: readonly string[];
  /** Addresses and names of frames that hold a report, as regular expressions. */
  readonly reportFrame: readonly string[];
  /** In such a frame: lines that say that the report is whole, as regular expressions. */
  readonly reportDone: readonly string[];
  /** In such a frame: lines above the report that are none of it, as regular expressions. */
  readonly reportNoise: readonly string[];
  /** Radio buttons that choose what the page does with a message, e.g. a chat or a task. */
  readonly modeOption: readonly string[];
  /** A button that shows the mode and opens a menu of modes. */
  readonly modeButton: readonly string[];
  /** Shown only where a message starts a task, e.g. the repository it works on. */
  readonly modeTarget: readonly string[];
  /** Labels of the mode that answers in a chat, as regular expressions. */
  readonly modeWanted: readonly string[];
  /** Labels of modes that do something else, as regular expressions. */
  readonly modeUnwanted: readonly string[];
  readonly loggedIn: readonly string[];
  readonly loggedOut: readonly string[];
  readonly challenge: readonly string[];
  readonly challengeTitle: readonly string[];
  readonly dialog: readonly string[];
  readonly throttleText: readonly string[];
  readonly announcement: readonly string[];
  readonly announcementClose: readonly string[];
  readonly errorBanner: readonly string[];
  /** Short messages outside of the conversation: alerts, toasts, banners. */
  readonly notice: readonly string[];
  /** Texts of a notice that mean an error, as regular expressions. */
  readonly errorText: readonly string[];
  /** Beginnings of a text that announces work and is not the answer yet, as regular expressions. */
  readonly preamble: readonly string[];
}
