const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text has the shape of an id. Skill names of this shape are refused, so `{id}` stays unambiguous. */
export function isIdShaped(text: string): boolean {
  return UUID.test(text);
}
