/** What one destination was sent that is tried in each of its orders. */
const MAX_MESSAGES = 2_000;
const MAX_MESSAGE = 1_024;
const MAX_FIELDS = 100;
/** Numbers in each message by which a sender may have counted. */
const MAX_COUNTERS = 2;

/**
 * Joins messages of one destination field by field, since a secret that is sent in parts is one field of many messages: in the
 * order of their arrival, backwards, and in the order of numbers that they carry. Fields are letters and digits; what is between
 * them is left out. Of long messages only the beginning is read.
 */
export function joinFields(messages: readonly string[]): string {
  if (messages.length < 2) return "";
  const rows = messages
    .slice(0, MAX_MESSAGES)
    .map((text) => text.slice(0, MAX_MESSAGE).split(/[^A-Za-z0-9]+/, MAX_FIELDS));
  const orders = [rows, rows.toReversed(), ...countersOf(rows).map((index) => inOrderOf(rows, index))];
  const width = Math.max(...rows.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, index) => index);
  return orders.flatMap((order) => columns.map((index) => order.map((row) => row[index] ?? "").join(""))).join(",");
}

/** The same for the lines of one message, those that begin with the same word together: pipelined requests, or parts with a word. */
export function joinLines(message: string): string {
  const groups = new Map<string, string[]>();
  for (const line of message.split("\n", MAX_MESSAGES)) {
    const [word = ""] = line.split(/[^A-Za-z0-9]/, 1);
    groups.set(word, [...(groups.get(word) ?? []), line]);
  }
  return [...groups.values()].map(joinFields).join(",");
}

/** The fields that are another number in each message. */
function countersOf(rows: readonly string[][]): number[] {
  const [first = []] = rows;
  const counters = first.flatMap((_, index) => {
    const values = rows.map((row) => row[index] ?? "");
    const areNumbers = values.every((value) => /^\d{1,9}$/.test(value));
    return areNumbers && new Set(values).size === values.length ? [index] : [];
  });
  return counters.slice(0, MAX_COUNTERS);
}

function inOrderOf(rows: readonly string[][], index: number): string[][] {
  return rows.toSorted((a, b) => Number(a[index]) - Number(b[index]));
}
