// Characters that the eye does not see, or takes for others: in added source they make a reader and a program see two
// different texts. A person is asked in every mode.

export interface UnclearText {
  readonly reason: "invisible_characters" | "lookalike_letters";
  readonly message: string;
}

/** Letters that look like Latin ones, beside the Latin letter. From the table of confusables of Unicode, as far as fonts for code show no difference. */
const lookalikes = new Map<string, string>(
  Object.entries({
    Greek: ["ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϳαγικνορυχϲ", "ABEZHIKMNOPTYXCjayiknopuxc"],
    Cyrillic: ["АВСЕНІЈКМОРЅТХУҮԌЅԚԜаеорсухіјѕԁԛԝһӏѵ", "ABCEHIJKMOPSTXYYGSQWaeopcyxijsdqwhlv"],
    Armenian: ["ՕՍՏԼաոսցօհղզ", "OUSLwnugohnq"],
    Cherokee: ["ᎠᎡᎢᎥᎪᎫᎬᎳᎷᎻᏀᏃᏆᏒᏔᏚᏞᏟᏢᏦ", "DRTiAJEWMHGZIRWSLCPK"],
    Georgian: ["ႽႬ", "SO"],
  }).flatMap(([, [others = "", latin = ""]]) =>
    [...others].map((letter, at): [string, string] => [letter, latin[at] ?? ""]),
  ),
);

/** Default-ignorable characters that belong to emoji: a joiner, a variation, a flag. */
const emojiParts =
  /(?<=\p{Emoji}|\ufe0f)(?:\u200d|[\ufe0e-\ufe0f])(?!\w)|[0-9#*]\ufe0f\u20e3|\u{1f3f4}[\u{e0020}-\u{e007f}]+/gu;
/** Marks of the direction of writing are shown at the gate and judged with the patch. */
const unseen =
  /(?![\u061c\u200c-\u200f\u202a-\u202e\u2066-\u2069]|[\ufe00-\ufe0f])(?:\p{Default_Ignorable_Code_Point}|[\u2800\u3164\uffa0])/gu;
/** Between other scripts a joiner is spelling; beside a Latin letter or digit it only makes two names of one. */
const joined = /(?:[\u200c-\u200d]|[\ufe00-\ufe0f])(?=[\w$])|(?<=[\w$])(?:[\u200c-\u200d]|[\ufe00-\ufe0f])/gu;
/** They end a line for the program and for no editor. */
const lineEnds = /[\u2028\u2029]/gu;

const codeOf = (char: string): string => {
  const point = char.codePointAt(0) ?? 0;
  return `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
};

const namesOf = (found: Iterable<string>): string => [...new Set([...found].map(codeOf))].join(", ");

function invisibleIn(path: string, lines: readonly string[]): UnclearText[] {
  const texts = lines.map((line) => line.replace(/^\ufeff/u, "").replaceAll(emojiParts, ""));
  const hidden = texts.flatMap((text) => [...(text.match(unseen) ?? []), ...(text.match(joined) ?? [])]);
  const ends = texts.flatMap((text) => text.match(lineEnds) ?? []);
  const make = (message: string): UnclearText => ({ reason: "invisible_characters", message });
  return [
    ...(hidden.length > 0 ? [make(`${path} holds characters that cannot be seen: ${namesOf(hidden)}.`)] : []),
    ...(ends.length > 0
      ? [make(`${path} holds characters that end a line for the program and not for the eye: ${namesOf(ends)}.`)]
      : []),
  ];
}

const words = /[\p{ID_Start}_$][\p{ID_Continue}$]*/gu;
/** Letters of a shape that another letter is written with as well, such as fullwidth and mathematical ones. */
const otherShape = (word: string): boolean => /[^\p{ASCII}]/u.test(word) && /^[\w$]+$/.test(word.normalize("NFKC"));

const texts = /(["'`])(?:\\.|(?!\1)[^\\])*\1|\/\/.*|\/\*.*|^\s*\*.*|#.*/gu;

const plainForm = (word: string): string => [...word].map((letter) => lookalikes.get(letter) ?? letter).join("");

/** A word with Latin letters and letters that look like them, or one that looks like a Latin word of the same file. */
function lookalikeIn(path: string, lines: readonly string[], around: readonly string[]): UnclearText[] {
  const found = lines.flatMap((line) => line.match(words) ?? []).filter((word) => /[^\p{ASCII}]/u.test(word));
  if (found.length === 0) return [];
  const known = new Set(around.flatMap((line) => line.match(/[A-Za-z_$][\w$]*/g) ?? []));
  // A sentence in another alphabet may hold a word that reads as a name; a name in code does so on purpose.
  const code = new Set(lines.flatMap((line) => line.replaceAll(texts, "").match(words) ?? []));
  const unclear = found.find((word) => {
    const plain = plainForm(word);
    const mixed = plain !== word && /[A-Za-z]/.test(word);
    return mixed || otherShape(word) || (plain !== word && code.has(word) && known.has(plain));
  });
  if (unclear === undefined) return [];
  const letters = [...unclear].filter((letter) => lookalikes.has(letter) || letter.normalize("NFKC") !== letter);
  const message = `${path} holds a word of letters that look alike and are not the same: “${unclear}” with ${namesOf(letters)}, which reads as “${plainForm(unclear).normalize("NFKC")}”.`;
  return [{ reason: "lookalike_letters", message }];
}

/** A screen shows the beginning of a line; a terminal also obeys what it holds. */
const farRight = /[^ \t][ \t]{200,}[^ \t\r]|^[ \t]{400,}[^ \t\r]/;
// eslint-disable-next-line no-control-regex
const commands = /[\0-\x08\x0b\x0e-\x1f\x7f]|\r(?!$)/g;

function hiddenIn(path: string, lines: readonly string[]): UnclearText[] {
  const make = (message: string): UnclearText => ({ reason: "invisible_characters", message });
  const controls = lines.flatMap((line) => line.match(commands) ?? []);
  return [
    ...(lines.some((line) => farRight.test(line))
      ? [make(`${path} holds text behind more than 200 blanks, where a screen does not show it.`)]
      : []),
    ...(controls.length > 0
      ? [make(`${path} holds characters by which a screen hides or moves text: ${namesOf(controls)}.`)]
      : []),
  ];
}

/** `lines`: the added ones; `around`: these and their neighbours. Both as bytes, one character each, as a patch holds them. */
export function unclearText(path: string, lines: readonly string[], around: readonly string[]): UnclearText[] {
  const text = (line: string): string => Buffer.from(line, "latin1").toString("utf8");
  const foreign = lines.filter((line) => /[\u0080-\u00ff]/.test(line)).map(text);
  const hidden = hiddenIn(path, lines);
  if (foreign.length === 0) return hidden;
  return [...hidden, ...invisibleIn(path, foreign), ...lookalikeIn(path, foreign, around.map(text))];
}
