/** Throws the sentence when the condition does not hold. */
export function assert(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new Error(sentence);
}
