/** Files in which a word of word-rules.mjs, or its plural, is meant literally or stored: `{ file, word, reason }`. */
export const ALLOWED = [];
