import type { KeyObject } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { sha256Hex } from "@/lib/core/hash";
import { loopTurn } from "@/lib/core/threads/loop-turn";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { findProblem } from "./check-version";
import {
  type BundleManifest,
  BundleVersion,
  MAX_BUNDLE_BYTES,
  MAX_MANIFEST_BYTES,
  nameOfVersion,
  type RecordRef,
  rejectBundle,
} from "./format";
import { openManifest } from "./signed-manifest";

export type OpenBundle = {
  /** SHA-256 of the first line, which names the digest of every other record. */
  digest: string;
  /** The first line, as signed. */
  envelope: string;
  manifest: BundleManifest;
  publicKey: KeyObject;
  versions: { record: string; version: BundleVersion }[];
  /** The files of a version, checked again while they are read. */
  readFiles(version: BundleVersion): Promise<SkillFile[]>;
};

type Place = { ref: RecordRef; offset: number };

/**
 * Opens a bundle after checking every byte of it: the signature of the manifest, the size and digest of each record, and
 * that each version agrees with its signatures and audit proof. `work` gets the bundle while it is open. Throws
 * `archive_rejected` with the name of the first thing that differs. Holds the records of versions and one skill's files
 * in memory, and reads no record that the manifest does not announce.
 */
export async function withBundle<T>(file: string, work: (bundle: OpenBundle) => Promise<T>): Promise<T> {
  const handle = await open(file, "r");
  try {
    return await work(await checkBundle(handle));
  } finally {
    await handle.close();
  }
}

async function checkBundle(handle: FileHandle): Promise<OpenBundle> {
  const stats = await handle.stat();
  if (!stats.isFile()) rejectBundle("it is not a file");
  if (stats.size > MAX_BUNDLE_BYTES) rejectBundle(`it has more than ${MAX_BUNDLE_BYTES} bytes`);
  const envelope = await readFirstLine(handle);
  const { manifest, publicKey } = openManifest(envelope);
  const signer = { keyId: manifest.instance.keyId, publicKey };
  const { versionPlaces, filePlaces } = placeRecords(manifest, Buffer.byteLength(envelope, "utf8") + 1, stats.size);
  const versions: OpenBundle["versions"] = [];
  for (const { ref, offset } of versionPlaces) {
    await loopTurn();
    const bytes = await readRecord(handle, { ref, offset }, `the record of ${ref.name}`);
    const record = bytes.toString("utf8");
    const parsed = BundleVersion.safeParse(parseJson(record));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      rejectBundle(`the record of ${ref.name} is not valid (${issue?.path.join(".")}: ${issue?.message})`);
    }
    if (nameOfVersion(parsed.data) !== ref.name) rejectBundle(`the record of ${ref.name} is about another version`);
    const problem = findProblem(parsed.data, manifest, signer);
    if (problem !== null) rejectBundle(`${ref.name}: ${problem}`);
    versions.push({ record, version: parsed.data });
  }
  assertConsistent(versions.map(({ version }) => version));
  const named = nameFiles(versions.map(({ version }) => version));
  for (const place of filePlaces.values()) {
    await loopTurn();
    const { sha256, bytes } = place.ref;
    const user = named.get(sha256);
    if (user === undefined) rejectBundle(`it has a file that no version names (${sha256})`);
    if (user.size !== bytes) rejectBundle(`${user.name} has ${bytes} bytes in place of ${user.size}`);
    await readRecord(handle, place, user.name);
  }
  for (const [sha256, { name }] of named) if (!filePlaces.has(sha256)) rejectBundle(`${name} is missing`);
  const readFiles = async ({ files }: BundleVersion) => {
    const read: SkillFile[] = [];
    for (const { path, mode, sha256 } of files) {
      const place = filePlaces.get(sha256);
      if (place === undefined) rejectBundle(`${path} is missing`);
      read.push({ path, mode, bytes: await readRecord(handle, place, path) });
    }
    return read;
  };
  return { digest: sha256Hex(envelope), envelope, manifest, publicKey, versions, readFiles };
}

const CHUNK_BYTES = 64 * 1024;

async function readFirstLine(handle: FileHandle): Promise<string> {
  const chunks: Buffer[] = [];
  for (let read = 0; read <= MAX_MANIFEST_BYTES; ) {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, read);
    if (bytesRead === 0) break;
    if (read === 0 && chunk[0] !== 0x7b) rejectBundle("it does not begin like a bundle, which is not compressed");
    const end = chunk.subarray(0, bytesRead).indexOf(0x0a);
    chunks.push(chunk.subarray(0, end === -1 ? bytesRead : end));
    if (end !== -1) return decode(Buffer.concat(chunks));
    read += bytesRead;
  }
  return rejectBundle(`it has no manifest: its first line does not end within ${MAX_MANIFEST_BYTES} bytes`);
}

function decode(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(bytes))
    rejectBundle("its manifest (the first line) was changed: it is not UTF-8");
  return text;
}

/** Offsets of all records, which must fill the file to its end. */
function placeRecords({ versions, files }: BundleManifest, start: number, size: number) {
  let offset = start;
  const place = <R extends RecordRef>(ref: R) => {
    const placed = { ref, offset };
    offset += ref.bytes + 1;
    return placed;
  };
  const versionPlaces = versions.map(place);
  const filePlaces = new Map(files.map((ref) => [ref.sha256, place(ref)]));
  if (filePlaces.size < files.length) rejectBundle("its manifest names one file twice");
  if (new Set(versions.map(({ name }) => name)).size < versions.length)
    rejectBundle("its manifest names one version twice");
  if (offset !== size) rejectBundle(`it has ${size} bytes in place of ${offset}: bytes are missing or were added`);
  return { versionPlaces, filePlaces };
}

async function readRecord(handle: FileHandle, { ref, offset }: Place, name: string): Promise<Buffer> {
  const buffer = Buffer.alloc(ref.bytes + 1);
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset);
  const bytes = buffer.subarray(0, ref.bytes);
  if (bytesRead !== buffer.length) rejectBundle(`${name} is incomplete`);
  if (sha256Hex(bytes) !== ref.sha256) rejectBundle(`${name} differs from what the exporting instance signed`);
  if (buffer[ref.bytes] !== 0x0a) rejectBundle(`the byte after ${name} was changed`);
  return bytes;
}

/** Versions of one name belong to one skill, and no version is there twice. */
function assertConsistent(versions: BundleVersion[]): void {
  const skills = new Map<string, BundleVersion["skill"]>();
  const digests = new Set<string>();
  const active = new Set<string>();
  for (const { skill, digest, isActive } of versions) {
    const known = skills.get(skill.slug) ?? skill;
    if (known.id !== skill.id || known.ownerKey !== skill.ownerKey || known.name !== skill.name)
      rejectBundle(`it has two skills named ${skill.slug}`);
    skills.set(skill.slug, skill);
    if (digests.has(`${skill.id} ${digest}`))
      rejectBundle(`it has version ${digest.slice(0, 12)} of ${skill.slug} twice`);
    digests.add(`${skill.id} ${digest}`);
    if (isActive && active.has(skill.id)) rejectBundle(`it has two active versions of ${skill.slug}`);
    if (isActive) active.add(skill.id);
  }
}

/** What to call each file: the first path that has these bytes. */
function nameFiles(versions: BundleVersion[]): Map<string, { name: string; size: number }> {
  const named = new Map<string, { name: string; size: number }>();
  for (const version of versions) {
    for (const { path, sha256, size } of version.files) {
      const name = `the file ${path} of ${nameOfVersion(version)}`;
      const known = named.get(sha256);
      if (known !== undefined && known.size !== size)
        rejectBundle(`${name} and ${known.name} have one digest and two sizes`);
      if (known === undefined) named.set(sha256, { name, size });
    }
  }
  return named;
}

/** Null for a text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
