import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listNearCopiesOfEntry } from "@/lib/catalog/overlap/near-copies";
import { sketchTexts } from "@/lib/catalog/overlap/sketch-texts";
import { seededWords } from "@/lib/catalog/overlap/testing/seeded-words";
import { differenceOf, wordsOf } from "@/lib/catalog/overlap/text-sketch";
import { entryRow, fillSource } from "@/lib/catalog/testing/fill-catalog";
import { newId } from "@/lib/core/ids";
import { applyMigrations } from "@/lib/db/apply-migrations";
import { createCtx } from "@/lib/db/context";
import { openDatabase } from "@/lib/db/open-database";
import type { BenchOptions } from "./harness/bench-options";
import { median, round } from "./harness/measure";

const ENTRIES = 20_000;
const WORDS = 400;
/** Every so many entries two texts differ by 12 % of their words. */
const PLANTED_EVERY = 100;
const ASKED = 40;

/**
 * Near copies among 20,000 catalog entries: the time to sketch all texts, and the time of a request for planted copies and
 * for texts without one, in turns with a comparison of the words of all texts.
 */
export async function benchOverlap({ quick, json, rounds }: BenchOptions): Promise<void> {
  const count = rounds ?? (quick ? 2_000 : ENTRIES);
  const folder = mkdtempSync(join(tmpdir(), "skillgate-overlap-"));
  const address = { file: join(folder, "bench.db"), keyFolder: folder, synchronous: "off" as const };
  await applyMigrations(address, join(process.cwd(), "prisma", "migrations"));
  const database = await openDatabase(address);
  try {
    const at = new Date();
    const id = newId();
    const person = { id, email: "bench@example.test", name: "Bench", role: "admin", state: "active" };
    await database.writer.user.create({ data: { ...person, createdAt: at, updatedAt: at } });
    const { email, name } = person;
    const actor = { kind: "user", userId: id, name, email, role: "admin", sessionId: newId() } as const;
    const ctx = createCtx({ actor, database });
    const ids = await fill(database, count);
    let clock = performance.now();
    const sketched = await sketchTexts(ctx);
    const sketchMs = performance.now() - clock;
    const texts = await database.reader.catalogBlob.findMany({ select: { bytes: true } });
    const words = texts.map(({ bytes }) => wordsOf(new TextDecoder().decode(bytes)));
    const times = { copies: [] as number[], alone: [] as number[], all: [] as number[] };
    const found = { copies: 0, alone: 0 };
    for (let turn = 0; turn < ASKED; turn += 1) {
      for (const kind of ["copies", "alone"] as const) {
        const entry = ids[turn * PLANTED_EVERY + (kind === "copies" ? 0 : 5)] ?? "";
        clock = performance.now();
        const { items } = await listNearCopiesOfEntry(ctx, entry);
        times[kind].push(performance.now() - clock);
        found[kind] += items.length;
      }
      clock = performance.now();
      const own = words[turn] ?? [];
      for (const other of words) differenceOf(own, other);
      times.all.push(performance.now() - clock);
    }
    const result = {
      ...{ entries: count, sketched, sketchMs: round(sketchMs), msForEach: round(sketchMs / sketched) },
      withCopyMs: round(median(times.copies)),
      withoutMs: round(median(times.alone)),
      allTextsMs: round(median(times.all)),
      ...{ foundPlanted: found.copies, foundAlone: found.alone, asked: ASKED },
    };
    if (json) console.log(JSON.stringify(result));
    else console.table(result);
    // The estimate may miss one of them.
    if (Math.abs(found.copies - ASKED) > 1 || found.alone !== 0) process.exitCode = 1;
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(database: Awaited<ReturnType<typeof openDatabase>>, count: number): Promise<string[]> {
  const sourceId = await fillSource(database.writer);
  const ids: string[] = [];
  for (let from = 0; from < count; from += 500) {
    const rows = Array.from({ length: Math.min(500, count - from) }, (_, index) => {
      const number = from + index;
      const isCopy = number % PLANTED_EVERY === 1;
      const words = seededWords(WORDS, isCopy ? number - 1 : number);
      const text = words.map((word, at) => (isCopy && at % 8 === 0 ? `${word}x` : word)).join(" ");
      return {
        row: entryRow(sourceId, { name: `skill-${number}`, content: `${number}` }),
        bytes: new Uint8Array(Buffer.from(text)),
      };
    });
    const createdAt = new Date();
    await database.writer.catalogBlob.createMany({
      data: rows.map(({ row, bytes }) => ({ gitSha: row.markerSha, size: bytes.length, bytes, createdAt })),
    });
    for (let at = 0; at < rows.length; at += 100) {
      await database.writer.catalogEntry.createMany({ data: rows.slice(at, at + 100).map(({ row }) => row) });
    }
    ids.push(...rows.map(({ row }) => row.id));
  }
  return ids;
}
