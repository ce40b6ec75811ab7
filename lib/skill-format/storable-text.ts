/** Text that every database keeps: NUL and lone surrogates, which PostgreSQL refuses, become U+FFFD. */
export function storableText(text: string): string {
  return text.replace(/\0|\p{Surrogate}/gu, "\ufffd");
}
