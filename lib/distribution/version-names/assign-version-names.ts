const PLAIN = /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/;

type Triple = readonly [number, number, number];

/**
 * The version names of a skill, for clients that compare them: three numbers, each greater than the one before. `stated` is
 * what each version says of itself, in the order they were stored. A version keeps what it states when that is three numbers
 * and greater than the name before; else it gets the next minor one. A name depends on earlier versions only, so it never
 * changes.
 */
export function assignVersionNames(stated: readonly (string | null)[]): string[] {
  const names: string[] = [];
  let before: Triple | null = null;
  for (const text of stated) {
    const own = text === null ? null : parseVersionName(text);
    const name: Triple = own !== null && (before === null || compare(own, before) > 0) ? own : nextMinor(before);
    names.push(name.join("."));
    before = name;
  }
  return names;
}

/** Whether one name stands for a newer version than another. False when either is not three numbers. */
export function isNewerName(name: string, than: string): boolean {
  const [a, b] = [parseVersionName(name), parseVersionName(than)];
  return a !== null && b !== null && compare(a, b) > 0;
}

/** The numbers of a name such as `1.4.0`; null for anything else, pre-releases too. */
export function parseVersionName(text: string): Triple | null {
  const found = PLAIN.exec(text);
  return found ? [Number(found[1]), Number(found[2]), Number(found[3])] : null;
}

function nextMinor(before: Triple | null): Triple {
  return before === null ? [1, 0, 0] : [before[0], before[1] + 1, 0];
}

function compare(a: Triple, b: Triple): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}
