import { z } from "zod";
import { sha256Hex } from "@/lib/core/hash";
import { safePath } from "@/lib/skill-format/archive/archive-entry";
import { MAX_SKILL_FILES, MAX_UNPACKED_BYTES } from "@/lib/skill-format/archive/limits";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { SyncFailure } from "../sync-failure";
import { type Registry, type RegistryList, type RegistryOptions, type Release, releaseOfFiles } from "./registry";
import { assertDigest, createRegistryClient, type RegistryClient, unpack } from "./registry-client";

const Line = z.string().trim().min(1).max(200);
const MAX_SKILLS = 20_000;
/** Of the older index, whose files are all read to compare them: as much as git may send, and what is held in memory of it. */
const MAX_READ_BYTES = 2 * 1024 ** 3;
const MAX_HELD_BYTES = 64 * 1024 ** 2;

/**
 * Agent Skills Discovery 0.2.0 (https://github.com/cloudflare/agent-skills-discovery-rfc). `version` and `publisher` are fields that
 * Skillgate adds (docs/distribution.md).
 */
const Entry = z.object({
  name: Line,
  type: z.enum(["archive", "skill-md"]),
  url: z.string().min(1).max(2_000),
  digest: z.string().regex(/^sha256:[0-9a-f]{64}$/i),
  version: Line.nullish().catch(null),
  publisher: Line.nullish().catch(null),
});
/** The older index, whose files are below `<name>/` beside it and have no digest. */
const FirstEntry = z.object({ name: Line, files: z.array(z.string().min(1).max(500)).min(1).max(MAX_SKILL_FILES) });
const Index = z.object({ skills: z.array(z.unknown()).max(MAX_SKILLS) });

/** Below the address of a site or scope, the newer format first. */
const PLACES = ["/.well-known/agent-skills/index.json", "/.well-known/skills/index.json"];

/** Opens an index of Agent Skills Discovery, 0.2 or older, at its own address or below that of a site. */
export function openAgentSkillsIndex(address: string, options: RegistryOptions): Registry {
  const client = createRegistryClient(address, options);
  const { host } = new URL(address);
  const what = `the index of ${host}`;
  const addresses = address.endsWith(".json")
    ? [address]
    : PLACES.map((place) => `${address.replace(/\/$/, "")}${place}`);

  async function fetchIndex(etag: string | null) {
    for (const [at, url] of addresses.entries()) {
      try {
        return { url, answer: await client.json(url, { what, schema: Index, etag }) };
      } catch (error) {
        const isLast = at === addresses.length - 1;
        if (isLast || !(error instanceof SyncFailure) || error.code !== "not_found") throw error;
      }
    }
    throw new Error("an index has at least one address");
  }

  return {
    requests: client.requests,
    list: async (etag) => {
      const { url, answer } = await fetchIndex(etag);
      if (answer === "unchanged") return "unchanged";
      const list: RegistryList = { releases: [], groups: [], skipped: [], etag: answer.etag };
      const budget = { read: 0, held: 0 };
      for (const item of answer.data.skills) {
        const entry = Entry.safeParse(item);
        if (entry.success) {
          list.releases.push(releaseOf(client, url, entry.data));
          continue;
        }
        const first = FirstEntry.safeParse(item);
        if (first.success) list.releases.push(await firstRelease(client, url, first.data, budget));
        else list.skipped.push(unreadable(url, item));
      }
      // Files of the older format are compared each time, because the index says nothing about them.
      if (list.releases.some(({ digest }) => digest === null)) list.etag = null;
      return list;
    },
  };
}

function releaseOf(client: RegistryClient, index: string, entry: z.infer<typeof Entry>): Release {
  const { name, type, url, digest, version = null, publisher = null } = entry;
  return {
    folder: name,
    ...{ publisher, version, digest, tags: [] },
    key: digest,
    read: async () => {
      if (!URL.canParse(url, index))
        throw new SyncFailure("malformed_answer", `The index names no address for ${name}.`);
      const bytes = await client.bytes(new URL(url, index).href, name);
      assertDigest(bytes, digest, name);
      return releaseOfFiles(
        type === "archive" ? await unpack(bytes, name) : [{ path: "SKILL.md", mode: "644", bytes }],
      );
    },
  };
}

type Budget = { read: number; held: number };

/** Reads all files, as nothing else tells whether they changed. They are read again when they were too many to hold. */
async function firstRelease(
  client: RegistryClient,
  index: string,
  entry: z.infer<typeof FirstEntry>,
  budget: Budget,
): Promise<Release> {
  const { name } = entry;
  const first = await readFiles(client, index, entry);
  budget.read += first.length;
  if (budget.read > MAX_READ_BYTES)
    throw new SyncFailure("too_large", `The files of the index are more than ${MAX_READ_BYTES} bytes.`);
  budget.held += first.length;
  const held = budget.held <= MAX_HELD_BYTES ? first.files : null;
  if (held === null) budget.held -= first.length;
  const { key, problem } = first;
  return {
    folder: name,
    ...{ publisher: null, version: null, digest: null, tags: [] },
    key,
    read: async () => {
      if (problem !== null) throw problem;
      if (held !== null) return releaseOfFiles(held);
      const again = await readFiles(client, index, entry);
      if (again.key === key) return releaseOfFiles(again.files);
      throw again.problem ?? new SyncFailure("upstream_unavailable", `${name} changed while it was read. Sync again.`);
    },
  };
}

async function readFiles(client: RegistryClient, index: string, { name, files: paths }: z.infer<typeof FirstEntry>) {
  const files: SkillFile[] = [];
  let length = 0;
  const problem = await readAll(paths, async (path) => {
    const plain = safePath(path);
    const place = [name, ...plain.split("/")].map(encodeURIComponent).join("/");
    const bytes = await client.bytes(new URL(place, index).href, `${name}/${plain}`);
    length += bytes.length;
    if (length > MAX_UNPACKED_BYTES)
      throw new SyncFailure("too_large", `The files of ${name} are more than ${MAX_UNPACKED_BYTES} bytes.`);
    files.push({ path: plain, mode: "644", bytes });
  });
  const lines = files.map(({ path, bytes }) => `${path}\0${sha256Hex(bytes)}\n`).join("");
  return { files: problem === null ? files : [], length, problem, key: sha256Hex(lines + (problem?.message ?? "")) };
}

/** The first failure that concerns one skill only; others end the list. */
async function readAll(paths: string[], read: (path: string) => Promise<void>): Promise<SyncFailure | null> {
  for (const path of [...new Set(paths)].sort()) {
    try {
      await read(path);
    } catch (error) {
      if (error instanceof SyncFailure && error.code !== "not_found" && error.code !== "too_large") throw error;
      if (!(error instanceof Error) || error.name === "AbortError") throw error;
      return error instanceof SyncFailure ? error : new SyncFailure("malformed_answer", error.message);
    }
  }
  return null;
}

function unreadable(url: string, item: unknown) {
  const named = z.object({ name: Line }).safeParse(item).data?.name ?? "A skill without a name";
  const reason = `${named} is not listed in the form of Agent Skills Discovery.`;
  return { folder: new URL(url).pathname, code: "index_entry_unreadable", reason };
}
