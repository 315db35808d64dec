/** Text of strangers: control, direction and invisible characters as escapes, as errata prints them on a terminal. */

const HARMFUL = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;
/** Invisible, but a part of words in Persian and Indian languages, and of emoji. */
const JOINERS = "\u200c\u200d";
const SHORT: Record<string, string> = { "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** Shows each harmful character as Python writes it: `\x1b`, `\u202e`, `\U000e0001`. */
export function printable(text: string): string {
  return text.replace(HARMFUL, (character) => (JOINERS.includes(character) ? character : escape(character)));
}

function escape(character: string): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x100) return `\\x${hexadecimal(code, 2)}`;
  return code < 0x10000 ? `\\u${hexadecimal(code, 4)}` : `\\U${hexadecimal(code, 8)}`;
}

function hexadecimal(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}
