/**
 * One question of a DNS message (RFC 1035): the name, also one that is longer than the 255 characters that are allowed, the
 * type (1 A, 28 AAAA, 16 TXT), and where the question ends.
 */
export type DnsQuestion = { name: string; type: number; end: number };

const HEADER_BYTES = 12;
const TYPE_AND_CLASS_BYTES = 4;
const TYPE_A = 1;
const SECONDS_TO_LIVE = 60;

/** The first question of a query; null for anything else. */
export function readQuestion(message: Buffer): DnsQuestion | null {
  if (message.length < HEADER_BYTES + 5 || (message.readUInt16BE(2) & 0x8000) !== 0) return null;
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (;;) {
    const length = message[at];
    if (length === undefined || length > 63 || labels.length > 127) return null;
    if (length === 0) break;
    if (at + 1 + length >= message.length) return null;
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  if (at + 5 > message.length) return null;
  return { name: labels.join("."), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/** What a message says besides the name of its first question: its number and flags, other questions and additional records. */
export function besidesName(message: Buffer, { end }: DnsQuestion): Buffer {
  return Buffer.concat([message.subarray(0, HEADER_BYTES), message.subarray(end - TYPE_AND_CLASS_BYTES)]);
}

/** Answers a query: the address for type A, no records for every other type. */
export function answerQuestion(message: Buffer, { type, end }: DnsQuestion, address: string): Buffer {
  const header = Buffer.from(message.subarray(0, HEADER_BYTES));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(type === TYPE_A ? 1 : 0, 6);
  header.writeUInt32BE(0, 8);
  const question = message.subarray(HEADER_BYTES, end);
  if (type !== TYPE_A) return Buffer.concat([header, question]);
  const record = Buffer.alloc(16);
  // A pointer to the name of the question, type A, class IN.
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(TYPE_A, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(SECONDS_TO_LIVE, 6);
  record.writeUInt16BE(4, 10);
  for (const [index, part] of address.split(".").entries()) record[12 + index] = Number(part);
  return Buffer.concat([header, question, record]);
}
