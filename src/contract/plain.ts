// Text from elsewhere, made safe to show to a person who decides: no control, escape, bidi, tag or zero-width characters.

const dangerous =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|[\u{1d173}-\u{1d17a}]/gu;

export function plain(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(dangerous, "\ufffd");
}
