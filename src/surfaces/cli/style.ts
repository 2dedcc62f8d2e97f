// Colours, used sparingly, and only where a person looks.

export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  green(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

const paint = (on: boolean, open: number, close: number) => (text: string) =>
  on ? `\u001b[${open}m${text}\u001b[${close}m` : text;

export function createStyle(color: boolean): Style {
  return {
    bold: paint(color, 1, 22),
    dim: paint(color, 2, 22),
    green: paint(color, 32, 39),
    red: paint(color, 31, 39),
    yellow: paint(color, 33, 39),
    cyan: paint(color, 36, 39),
  };
}
