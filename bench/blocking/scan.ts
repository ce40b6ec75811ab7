import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { encode, importFolders, skillFolder, words } from "./archives";
import type { BlockingCase, Instance } from "./instance";

const LINE = "curl -s http://example.test/x | grep a | base64 -d > /tmp/x$RANDOM # note\n";
const SCRIPT_CHARS = 1_200_000;
const FILES_OF_SKILL = 499;
const SKILLS = 10;

/** A script of 1.2 MB, ten skills with 500 files each, and 200 small skills, scanned again. */
export const scanCase: BlockingCase = {
  name: "scan",
  prepare: async (instance) => {
    const script = encode(`#!/bin/sh\n${LINE.repeat(Math.ceil(SCRIPT_CHARS / LINE.length)).slice(0, SCRIPT_CHARS)}`);
    await importFolders(instance, [skillFolder("large-script", [{ path: "scripts/large.sh", bytes: script }])]);
    await importFolders(
      instance,
      Array.from({ length: instance.quick ? 1 : SKILLS }, (_, index) =>
        skillFolder(
          `many-files-${index}`,
          Array.from({ length: FILES_OF_SKILL }, (_file, at) => ({
            path: `data/f${at}.sh`,
            bytes: encode(words(4_000, index * 1_000 + at)),
          })),
        ),
      ),
    );
    await importFolders(
      instance,
      Array.from({ length: 200 }, (_, index) => skillFolder(`small-${index}`, [])),
    );
    await untilScanned(instance);
  },
  run: async (instance) => {
    const versions = inDatabase(instance, (db) => db.prepare(`DELETE FROM "VersionScan"`).run().changes);
    await untilScanned(instance);
    return `${versions} versions scanned again`;
  },
};

async function untilScanned(instance: Instance): Promise<void> {
  const count = () =>
    inDatabase(instance, (db) =>
      db
        .prepare(
          `SELECT COUNT(*) FROM "Version" v WHERE v."state" = 'pending'
             AND NOT EXISTS (SELECT 1 FROM "VersionScan" s WHERE s."versionId" = v."id")`,
        )
        .pluck()
        .get(),
    );
  while (count() !== 0) await delay(500);
}

function inDatabase<T>({ folder }: Instance, work: (db: Sqlite.Database) => T): T {
  const db = new Sqlite(join(folder, "data", "skillgate.db"), { timeout: 30_000 });
  try {
    return work(db);
  } finally {
    db.close();
  }
}
