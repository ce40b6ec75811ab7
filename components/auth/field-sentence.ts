/** The server's "must have at least 12 characters" as a sentence under its field: "Password must have …". */
export function fieldSentence(field: string, message: string): string {
  const startsLow = /^\p{Ll}/u.test(message);
  return startsLow ? `${field.charAt(0).toUpperCase()}${field.slice(1)} ${message}.` : message;
}
