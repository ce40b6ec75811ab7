import { crc32, deflateRawSync } from "node:zlib";

export type ZipEntry = {
  name: string | Uint8Array;
  data?: string | Uint8Array;
  method?: number;
  flags?: number;
  mode?: number;
  dosAttributes?: number;
  /** False header values. */
  localName?: string;
  crc?: number;
  size?: number;
  packed?: Uint8Array;
  extra?: Uint8Array;
  descriptor?: "signed" | "unsigned";
  offset?: number;
  gapAfter?: Uint8Array;
};

export type ZipFaults = { before?: string; after?: string; comment?: string; count?: number; disk?: number };

/** Builds a ZIP byte by byte (APPNOTE.TXT, section 4.3), with the requested faults. */
export function buildZip(entries: ZipEntry[], lies: ZipFaults = {}): Uint8Array {
  const locals: Buffer[] = [Buffer.from(lies.before ?? "")];
  const centrals: Buffer[] = [];
  let offset = locals[0]?.length ?? 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const data = Buffer.from(entry.data ?? "");
    const method = entry.method ?? 8;
    const packed = Buffer.from(entry.packed ?? (method === 8 ? deflateRawSync(data) : data));
    const crc = entry.crc ?? crc32(data);
    const size = entry.size ?? data.length;
    const extra = Buffer.from(entry.extra ?? []);
    const flags = (entry.flags ?? 0x800) | (entry.descriptor === undefined ? 0 : 8);
    const streamed = entry.descriptor !== undefined;
    const localName = Buffer.from(entry.localName ?? name);
    const sizes = numbers(4, streamed ? [0, 0, 0] : [crc, packed.length, size]);
    const local = Buffer.concat([
      numbers(4, [0x04034b50]),
      numbers(2, [20, flags, method, 0, 0x21]),
      sizes,
      numbers(2, [localName.length, extra.length]),
      localName,
      extra,
      packed,
      ...(entry.descriptor === "signed" ? [numbers(4, [0x08074b50])] : []),
      ...(streamed ? [numbers(4, [crc, packed.length, size])] : []),
      Buffer.from(entry.gapAfter ?? []),
    ]);
    centrals.push(
      Buffer.concat([
        numbers(4, [0x02014b50]),
        numbers(2, [0x031e, 20, flags, method, 0, 0x21]),
        numbers(4, [crc, packed.length, size]),
        numbers(2, [name.length, extra.length, 0, 0, 0]),
        numbers(4, [(((entry.mode ?? 0o100644) << 16) | (entry.dosAttributes ?? 0)) >>> 0, entry.offset ?? offset]),
        name,
        extra,
      ]),
    );
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(centrals);
  const count = lies.count ?? entries.length;
  const comment = Buffer.from(lies.comment ?? "");
  const end = Buffer.concat([
    numbers(4, [0x06054b50]),
    numbers(2, [lies.disk ?? 0, lies.disk ?? 0, count, count]),
    numbers(4, [directory.length, offset]),
    numbers(2, [comment.length]),
    comment,
  ]);
  return new Uint8Array(Buffer.concat([...locals, directory, end, Buffer.from(lies.after ?? "")]));
}

function numbers(width: 2 | 4, values: number[]): Buffer {
  const buffer = Buffer.alloc(width * values.length);
  for (const [index, value] of values.entries()) {
    if (width === 2) buffer.writeUInt16LE(value, index * 2);
    else buffer.writeUInt32LE(value, index * 4);
  }
  return buffer;
}
