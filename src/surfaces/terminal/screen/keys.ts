// Parses typed bytes into keys.

const sequences: Readonly<Record<string, string>> = {
  "[A": "up",
  "[B": "down",
  "[C": "right",
  "[D": "left",
  "[H": "home",
  "[F": "end",
  "[1~": "home",
  "[4~": "end",
  "[7~": "home",
  "[8~": "end",
  "[5~": "page up",
  "[6~": "page down",
  OA: "up",
  OB: "down",
  OC: "right",
  OD: "left",
  OH: "home",
  OF: "end",
};

const controls: Readonly<Record<string, string>> = {
  "\r": "enter",
  "\n": "enter",
  "\t": "tab",
  "\u007f": "backspace",
  "\b": "backspace",
  "\u0003": "ctrl-c",
  "\u0004": "page down",
  "\u0006": "page down",
  "\u0002": "page up",
  "\u0015": "ctrl-u",
  "\u000c": "ctrl-l",
  "\u001a": "ctrl-z",
};

const sequence = /^\u001b(\[[0-?]*[ -/]*[@-~]|O[A-Z])/;

/** A key is a name or a character. An unknown sequence is dropped. */
export function keysOf(typed: string): readonly string[] {
  const keys: string[] = [];
  for (let rest = typed; rest !== "";) {
    const [whole, name] = sequence.exec(rest) ?? [];
    if (whole !== undefined && name !== undefined) {
      const known = sequences[name];
      if (known !== undefined) keys.push(known);
      rest = rest.slice(whole.length);
      continue;
    }
    const [character = ""] = rest;
    if (character === "\u001b") keys.push("escape");
    else if (controls[character] !== undefined) keys.push(controls[character]);
    else if (character >= " ") keys.push(character);
    rest = rest.slice(character.length);
  }
  return keys;
}
