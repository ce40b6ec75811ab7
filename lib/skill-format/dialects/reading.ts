/** A value with what YAML knows of it: its text as written, its source in brackets, the comment that cut it off. */
export type Written = { value: unknown; text?: string; source?: string; comment?: string };

export type Note = { code: string; severity: "info" | "warning"; message: string };

/**
 * What a reader makes of a value. `skip`: it means something else here and is left alone. `wrong`: it was meant, but it is not
 * what it should be; with `note` instead of the usual message.
 */
export type Reading = { value: unknown; note?: Note } | { skip: true } | { wrong: true; note?: Note };
