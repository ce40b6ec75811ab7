import { MAX_DECODE_DEPTH, MAX_DECODED_CHARS } from "../limits";
import { decodeBase64 } from "./decode-base64";
import { decodeEntities, decodeEscapes, decodePercent } from "./decode-escapes";
import { decodeHex } from "./decode-hex";
import { decodeTags, foldConfusables, removeInvisible } from "./decode-invisible";
import { type Fragment, sourceAt } from "./fragment";
import { decodeRot13, joinStrings, reverseLines } from "./undo-disguise";

const DECODERS: ((text: string) => Fragment[])[] = [
  removeInvisible,
  decodeTags,
  foldConfusables,
  decodeEntities,
  decodePercent,
  decodeEscapes,
  decodeBase64,
  decodeHex,
  decodeRot13,
  reverseLines,
  joinStrings,
];

/**
 * What a text becomes when its disguises are taken off: pieces decoded from it, and what those decode to in turn, three
 * levels deep. `complete` is false when there was more than 2 Mi characters of it.
 */
export function decodeViews(text: string): { fragments: Fragment[]; complete: boolean } {
  const fragments: Fragment[] = [];
  let left = MAX_DECODED_CHARS;
  let level: Fragment[] = [{ view: "source", text, source: 0 }];
  for (let depth = 0; depth < MAX_DECODE_DEPTH && level.length > 0; depth += 1) {
    const next: Fragment[] = [];
    for (const outer of level) {
      for (const decode of DECODERS) {
        for (const inner of decode(outer.text)) {
          left -= inner.text.length;
          if (left < 0) return { fragments, complete: false };
          next.push(
            depth === 0 ? inner : { view: inner.view, text: inner.text, source: sourceAt(outer, inner.source) },
          );
        }
      }
    }
    fragments.push(...next);
    // Line views keep most of their text; decoding them again finds the same pieces again and little else.
    level = next.filter((fragment) => fragment.text.length >= 8);
  }
  return { fragments, complete: true };
}
