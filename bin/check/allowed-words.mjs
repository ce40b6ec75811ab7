/** Files in which a word of word-rules.mjs is meant literally or is part of a stored name: `{ file, word, reason }`. */
export const ALLOWED = [];
