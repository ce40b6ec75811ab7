import { z } from "zod";
import { sha256Hex } from "@/lib/core/hash";
import { SyncFailure } from "../sync-failure";
import { type Registry, type RegistryList, type RegistryOptions, type Release, releaseOfFiles } from "./registry";
import { createRegistryClient, type RegistryClient, unpack } from "./registry-client";

/** https://github.com/openclaw/clawhub/blob/main/docs/http-api.md */
const Slug = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,99}$/i);
const Owner = z.object({ handle: Slug.nullish() }).nullish().catch(null);
const Item = z.object({
  slug: Slug,
  updatedAt: z.number().nullish(),
  latestVersion: z.object({ version: z.string().min(1).max(100) }).nullish(),
  tags: z
    .object({ latest: z.string().max(100).optional() })
    .nullish()
    .catch(null),
  ownerHandle: Slug.nullish().catch(null),
  owner: Owner,
});
const List = z.object({ items: z.array(z.unknown()).max(500), nextCursor: z.string().max(2_000).nullish() });
const Detail = z.object({ owner: Owner });
const Version = z.object({
  version: z.object({
    files: z
      .array(z.object({ path: z.string(), sha256: z.string().regex(/^[0-9a-f]{64}$/i) }))
      .min(1)
      .max(1_000),
  }),
});

const PAGE = 200;
const MAX_PAGES = 100;
/** ClawHub writes it into each archive; no version has it. */
const ADDED_FILE = "_meta.json";

/** Opens a registry with the API of ClawHub, version 1. Folders are names of skills, below the owner where the list names it. */
export function openClawHub(address: string, options: RegistryOptions): Registry {
  const client = createRegistryClient(address, options);
  const base = `${address.replace(/\/$/, "")}/api/v1`;
  const what = `the skills of ${new URL(address).host}`;
  return {
    requests: client.requests,
    list: async () => {
      const list: RegistryList = { releases: [], groups: [], skipped: [], etag: null };
      let cursor: string | null = null;
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const query: URLSearchParams = new URLSearchParams({
          limit: String(PAGE),
          sort: "createdAt",
          ...(cursor === null ? {} : { cursor }),
        });
        const answer = await client.json(`${base}/skills?${query}`, { what, schema: List });
        if (answer === "unchanged") throw new Error("the host answered 304 to a request without a tag");
        for (const item of answer.data.items) {
          const parsed = Item.safeParse(item);
          if (parsed.success) list.releases.push(releaseOf(client, base, parsed.data));
          else
            list.skipped.push({
              folder: "",
              code: "index_entry_unreadable",
              reason: "The registry lists a skill without a name.",
            });
        }
        cursor = answer.data.nextCursor ?? null;
        if (cursor === null) return list;
      }
      throw new SyncFailure(
        "too_large",
        `${what} are more than ${PAGE * MAX_PAGES}. Add one repository or publisher instead.`,
      );
    },
  };
}

function releaseOf(client: RegistryClient, base: string, item: z.infer<typeof Item>): Release {
  const { slug, updatedAt = 0 } = item;
  const owner = item.ownerHandle ?? item.owner?.handle ?? null;
  const version = item.latestVersion?.version ?? item.tags?.latest ?? null;
  const name = owner === null ? slug : `${owner}/${slug}`;
  return {
    folder: name,
    ...{ publisher: owner, version, digest: null, tags: [] },
    // A version has one content; its moderation may change.
    key: `${version} ${updatedAt}`,
    read: async () => {
      if (version === null) throw new SyncFailure("not_found", `${name} has no version that can be installed.`);
      const pin = new URLSearchParams({ ...(owner === null ? {} : { ownerHandle: owner }) });
      const at = `${base}/skills/${encodeURIComponent(slug)}`;
      const stated = await client.json(`${at}/versions/${encodeURIComponent(version)}?${pin}`, {
        what: name,
        schema: Version,
      });
      if (stated === "unchanged") throw new Error("the host answered 304 to a request without a tag");
      const detail = owner === null ? await client.json(at, { what: name, schema: Detail }) : null;
      const query = new URLSearchParams({ slug, version, ...Object.fromEntries(pin) });
      const files = await unpack(await client.bytes(`${base}/download?${query}`, name), name);
      const wanted = new Map(stated.data.version.files.map(({ path, sha256 }) => [path, sha256.toLowerCase()]));
      const kept = files.filter(({ path }) => wanted.has(path) || path !== ADDED_FILE);
      for (const { path, bytes } of kept) {
        if (wanted.get(path) === sha256Hex(bytes)) continue;
        throw new SyncFailure("integrity", `${path} of ${name} ${version} has other bytes than the registry states.`);
      }
      if (kept.length === wanted.size) {
        const publisher =
          owner ?? (detail === null || detail === "unchanged" ? null : (detail.data.owner?.handle ?? null));
        return { ...releaseOfFiles(kept), publisher };
      }
      throw new SyncFailure("integrity", `The archive of ${name} ${version} lacks files that the registry states.`);
    },
  };
}
