import JSZip from "jszip";
import { describe, expect, it } from "vitest";
import { filesOfEntries, packFiles, UnusablePick } from "./import-files";

const fileOf = (name: string, text = name) => new File([text], name);
const fileEntry = (name: string, text?: string) =>
  ({
    name,
    isFile: true,
    isDirectory: false,
    file: (done: (file: File) => void) => done(fileOf(name, text)),
  }) as unknown as FileSystemEntry;

/** Returns its children in batches of two; browsers return batches of a hundred. */
function folderEntry(name: string, children: FileSystemEntry[]): FileSystemEntry {
  const createReader = () => {
    const rest = [...children];
    return { readEntries: (done: (entries: FileSystemEntry[]) => void) => done(rest.splice(0, 2)) };
  };
  return { name, isFile: false, isDirectory: true, createReader } as unknown as FileSystemEntry;
}

async function unzip(file: File) {
  const zip = await JSZip.loadAsync(new Uint8Array(await file.arrayBuffer()));
  const entries = Object.values(zip.files).filter((entry) => !entry.dir);
  return new Map(entries.map((entry) => [entry.name, entry]));
}

describe("packFiles", () => {
  it("zips a dropped folder of any size with its paths, without .git and .DS_Store", async () => {
    const dropped = folderEntry("tidy", [
      fileEntry("SKILL.md"),
      fileEntry(".DS_Store"),
      folderEntry(".git", [fileEntry("HEAD")]),
      folderEntry(
        "references",
        ["a.md", "b.md", "c.md", "d.md", "e.md"].map((name) => fileEntry(name)),
      ),
    ]);
    const packed = await packFiles(await filesOfEntries([dropped]));
    expect(packed.name).toBe("tidy.zip");
    expect([...(await unzip(packed)).keys()].sort()).toEqual([
      "tidy/SKILL.md",
      ...["a", "b", "c", "d", "e"].map((name) => `tidy/references/${name}.md`),
    ]);
  });

  it("keeps bytes, and makes files that name an interpreter executable", async () => {
    const packed = await packFiles([
      { path: "pack/run.sh", file: fileOf("run.sh", "#!/bin/sh\necho {}\n") },
      { path: "pack/skill.json", file: fileOf("skill.json", "{}") },
    ]);
    const entries = await unzip(packed);
    expect(await entries.get("pack/run.sh")?.async("string")).toBe("#!/bin/sh\necho {}\n");
    expect(Number(entries.get("pack/run.sh")?.unixPermissions) & 0o777).toBe(0o755);
    expect(Number(entries.get("pack/skill.json")?.unixPermissions) & 0o777).toBe(0o644);
  });

  it.each(["skills.zip", "skills.tar.gz", "skills.tgz", "SKILL.md"])("uploads a single %s unchanged", async (name) => {
    const file = fileOf(name);
    expect(await packFiles([{ path: name, file }])).toBe(file);
  });

  it("reports an empty selection", async () => {
    await expect(packFiles([{ path: "a/.git/HEAD", file: fileOf("HEAD") }])).rejects.toThrow(UnusablePick);
  });

  it("refuses what is too large before reading it", async () => {
    const file = { size: 60 * 1024 * 1024 } as File;
    await expect(packFiles([{ path: "a/big.bin", file }])).rejects.toThrow(
      "The upload has 60 MiB. The limit is 50 MiB.",
    );
  });
});
