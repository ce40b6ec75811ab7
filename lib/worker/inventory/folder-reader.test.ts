import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { makeWorkDir } from "../testing/make-work-dir";
import { findFolders } from "./find-folders";
import { type FolderJob, type FolderReader, openFolderReader } from "./folder-reader";
import { readFolder } from "./read-folder";

let program: string;

beforeAll(async () => {
  const script = new URL("../../../bin/build-programs.mjs", import.meta.url).href;
  const { buildWorker } = (await import(/* @vite-ignore */ script)) as { buildWorker(): Promise<string> };
  program = join(dirname(await buildWorker()), "worker-reader.cjs");
});

async function makeFolder(): Promise<FolderJob> {
  const path = makeWorkDir();
  mkdirSync(join(path, "disk"));
  writeFileSync(join(path, "disk", "skill.json"), JSON.stringify({ name: "disk", description: "d", entry: "run.sh" }));
  writeFileSync(join(path, "disk", "run.sh"), "#!/bin/sh\n");
  chmodSync(join(path, "disk", "run.sh"), 0o755);
  const root = { kind: "directory", path, real: path } as const;
  const [folder] = (await findFolders(root)).folders;
  if (!folder) throw new Error("There is no folder.");
  return { root, folder };
}

function open(file = program): FolderReader {
  const reader = openFolderReader(file);
  onTestFinished(() => reader.close());
  return reader;
}

it("answers one folder after the other as this process would", async () => {
  const [one, other] = [await makeFolder(), await makeFolder()];
  const reader = open();
  for (const job of [one, other, one]) {
    const found = await reader.read(job);
    expect(found).toEqual(await readFolder(job.root, job.folder));
    expect("skill" in found && found.skill.sources.size).toBe(2);
  }
});

it("rejects what is asked of one that has ended, or never began", async () => {
  const job = await makeFolder();
  const closed = open();
  await closed.read(job);
  closed.close();
  await expect(closed.read(job)).rejects.toThrow("has ended");
  await expect(open(join(makeWorkDir(), "nothing.cjs")).read(job)).rejects.toThrow("has ended");
});
