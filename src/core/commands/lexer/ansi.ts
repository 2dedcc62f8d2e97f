// Decodes the inside of $'…': the escapes of ANSI C, as bash reads them.

const simple: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "?": "?",
};

const escape = /\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|c([^])|([^]))/g;

function point(text: string, base: number): string {
  const value = Number.parseInt(text, base);
  return value > 0x10ffff ? "\ufffd" : String.fromCodePoint(value);
}

export function decodeAnsi(text: string): string {
  return text.replaceAll(
    escape,
    (
      whole,
      octal?: string,
      hex?: string,
      short?: string,
      long?: string,
      control?: string,
      other?: string,
    ) => {
      if (octal !== undefined) return point(String(Number.parseInt(octal, 8) & 0xff), 10);
      const code = hex ?? short ?? long;
      if (code !== undefined) return point(code, 16);
      if (control !== undefined) return point(String(control.charCodeAt(0) & 0x1f), 10);
      return simple[other ?? ""] ?? whole;
    },
  );
}
