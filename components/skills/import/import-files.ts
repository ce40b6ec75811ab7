import { MAX_ARCHIVE_FILES, MAX_UNPACKED_BYTES } from "@/lib/skill-format/archive/limits";

export type PickedFile = { /** Relative to the dropped folder, with `/`. */ path: string; file: File };

/** The dropped or pasted files, including those in folders. Call it inside the handler: the browser clears them afterwards. */
export function filesOfDrop(transfer: DataTransfer): Promise<PickedFile[]> {
  const dropped = [...transfer.items].filter((item) => item.kind === "file");
  // Files dropped by programs may have no entry.
  return filesOfEntries(dropped.flatMap((item) => item.webkitGetAsEntry() ?? item.getAsFile() ?? []));
}

export async function filesOfEntries(dropped: readonly (FileSystemEntry | File)[]): Promise<PickedFile[]> {
  const found: PickedFile[] = [];
  for (const item of dropped) {
    if (item instanceof File) found.push({ path: item.name, file: item });
    else await collect(item, "", found);
  }
  return found;
}

async function collect(entry: FileSystemEntry, folder: string, found: PickedFile[]): Promise<void> {
  const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
  if (isSkipped(entry.name)) return;
  if (isFile(entry)) {
    found.push({ path, file: await new Promise<File>((resolve, reject) => entry.file(resolve, reject)) });
    return;
  }
  if (isFolder(entry)) for (const child of await childrenOf(entry)) await collect(child, path, found);
}

/** Never part of a skill; `.git` can be larger than all other files. */
function isSkipped(name: string): boolean {
  return name === ".git" || name === ".DS_Store";
}

async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const children: FileSystemEntry[] = [];
  // `readEntries` returns at most 100 entries per call, and an empty list at the end.
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return children;
    children.push(...batch);
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

/** Files that cannot be uploaded; the message is shown to the user. */
export class UnusablePick extends Error {}

const archive = /\.(zip|tar\.gz|tgz)$/i;

/** The file to upload: a single archive or Markdown file unchanged, anything else zipped with its paths. */
export async function packFiles(picked: readonly PickedFile[]): Promise<File> {
  const files = picked.filter(({ path }) => !path.split("/").some(isSkipped));
  const [only] = files;
  if (!only) throw new UnusablePick("The dropped folder contains no files.");
  if (files.length === 1 && !only.path.includes("/") && (archive.test(only.path) || /\.md$/i.test(only.path))) {
    return only.file;
  }
  assertWithinLimits(files);
  const { default: JSZip } = await import("jszip");
  const zip = new JSZip();
  for (const { path, file } of files) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    zip.file(path, bytes, { unixPermissions: isProgram(bytes) ? 0o100755 : 0o100644 });
  }
  const bytes = await zip.generateAsync({ type: "arraybuffer", platform: "UNIX", compression: "DEFLATE" });
  return new File([bytes], `${nameOf(files)}.zip`, { type: "application/zip" });
}

/** Browsers do not expose the executable bit, so a `#!` line decides. */
function isProgram(bytes: Uint8Array): boolean {
  return bytes[0] === 0x23 && bytes[1] === 0x21;
}

/** Checked before reading files into memory; the server checks again. */
function assertWithinLimits(files: readonly PickedFile[]): void {
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  const limitMiB = MAX_UNPACKED_BYTES / 1024 / 1024;
  if (files.length > MAX_ARCHIVE_FILES) {
    throw new UnusablePick(`The upload has ${files.length} files. The limit is ${MAX_ARCHIVE_FILES}.`);
  }
  if (bytes > MAX_UNPACKED_BYTES) {
    throw new UnusablePick(`The upload has ${Math.ceil(bytes / 1024 / 1024)} MiB. The limit is ${limitMiB} MiB.`);
  }
}

/** The common top folder, else "import". */
function nameOf(files: readonly PickedFile[]): string {
  const roots = new Set(files.map(({ path }) => (path.includes("/") ? path.split("/")[0] : "")));
  const [root] = roots;
  return roots.size === 1 && root ? root : "import";
}
