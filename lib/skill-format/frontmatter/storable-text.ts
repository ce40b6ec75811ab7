/** Text that every database keeps: NUL and lone surrogates, which PostgreSQL refuses, become U+FFFD. */
export function storableText(text: string): string {
  // Most texts have no surrogates at all; looking for halves of them costs more than looking for any.
  return SUSPECT.test(text) ? text.replace(/\0|\p{Surrogate}/gu, "\ufffd") : text;
}

const SUSPECT = /[\0\ud800-\udfff]/;
