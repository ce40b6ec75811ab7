import { gzipSync } from "node:zlib";
import { type Header, pack } from "tar-stream";

export type TarEntry = Partial<Header> & { name: string; data?: string | Uint8Array };

/** A gzipped tar; `edit` may damage it before compression. */
export async function buildTar(entries: TarEntry[], edit: (tar: Buffer) => Buffer = (tar) => tar): Promise<Uint8Array> {
  return new Uint8Array(gzipSync(edit(await buildPlainTar(entries)), { level: 1 }));
}

async function buildPlainTar(entries: TarEntry[]): Promise<Buffer> {
  const tar = pack();
  for (const { data, ...header } of entries) tar.entry(header, Buffer.from(data ?? ""));
  tar.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of tar) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}

/** Rewrites the checksum of the header at `offset` (POSIX ustar, `chksum`). */
export function fixChecksum(tar: Buffer, offset: number): Buffer {
  tar.fill(0x20, offset + 148, offset + 156);
  const sum = tar.subarray(offset, offset + 512).reduce((total, byte) => total + byte, 0);
  tar.write(`${sum.toString(8).padStart(6, "0")}\0 `, offset + 148, "latin1");
  return tar;
}
