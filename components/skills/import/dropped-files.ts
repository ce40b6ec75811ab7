export type PickedFile = { /** With `/`, from the folder that was dropped. */ path: string; file: File };

/**
 * The files of a drop, folders included. Must be called while the drop event is handled: afterwards the browser takes
 * them away.
 */
export function filesOfDrop(transfer: DataTransfer): Promise<PickedFile[]> {
  const dropped = [...transfer.items].filter((item) => item.kind === "file");
  // What a program drops has no entry, only a file.
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

/** What never belongs to a skill, and a repository's own folder can be larger than all the rest. */
export function isSkipped(name: string): boolean {
  return name === ".git" || name === ".DS_Store";
}

async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const children: FileSystemEntry[] = [];
  // A reader gives at most a hundred at a time, and an empty list when it has no more.
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
