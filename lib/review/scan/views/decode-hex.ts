import { joinedRuns } from "./decode-base64";
import type { Fragment } from "./fragment";
import { readableText } from "./readable-text";

export const HEX = { first: /[0-9a-fA-F]{32,}/g, rest: /[0-9a-fA-F]+/y };

/** Texts hidden in hexadecimal, from 32 digits. */
export function decodeHex(text: string): Fragment[] {
  return joinedRuns(text, HEX).flatMap(({ run, source }) => {
    if (run.length < 32 || run.length % 2 !== 0) return [];
    const decoded = readableText(Buffer.from(run, "hex"));
    return decoded === null ? [] : [{ view: "hex-decoded" as const, text: decoded, source }];
  });
}
