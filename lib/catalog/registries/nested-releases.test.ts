import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { writeZip } from "@/lib/skill-format/export/write-archive";
import type { ListingMemory } from "../sync/source-reader";
import { createRegistryReader } from "./create-registry-reader";

const file = (path: string, text: string) => ({ path, mode: "644" as const, bytes: new Uint8Array(Buffer.from(text)) });
const archive = await writeZip("", [file("SKILL.md", "# a\n"), file("pdf/SKILL.md", "# not of Acme\n")]);
const digest = (bytes: Uint8Array) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
const ACME = { name: "a/pdf", type: "skill-md", url: "gone", digest: digest(Buffer.from("# pdf")), publisher: "acme" };
const OTHER = { name: "a", type: "archive", url: "a.zip", digest: digest(archive), publisher: "other" };
let skills: object[] = [];

const server = createServer(({ url = "" }, response) => {
  if (url.endsWith("/index.json")) response.end(JSON.stringify({ skills }));
  else if (url.endsWith("/a.zip")) response.end(archive);
  else response.writeHead(404).end();
});
let repoUrl = "";
beforeAll(async () => {
  vi.stubEnv("SKILLGATE_OUTGOING_RANGES", "127.0.0.1");
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  repoUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

const MEMORY: ListingMemory = {
  async *formerFiles() {},
  async *formerSkills() {},
  keptTree: async () => null,
  keepTree: async () => undefined,
  wants: () => false,
  keepBlob: async () => undefined,
};
const UNKNOWN = { repositoryId: null, defaultBranch: null, identityCheckedAt: null, commit: null, commitEtag: null };

test.each([
  ["before", [ACME, OTHER]],
  ["after", [OTHER, ACME]],
])("a release inside the folder of another one is left out, listed %s it", async (_where, listed) => {
  skills = listed;
  const place = { kind: "index" as const, owner: "o", repo: "r", repoUrl, hostKeys: null };
  const reader = createRegistryReader(place, { credential: null, scratch: "" });
  const { commit } = await reader.changedSince(
    { owner: "o", repo: "r", ref: null, isPrivate: false, ...UNKNOWN },
    new Date(),
  );
  if (commit === "unchanged") throw new Error("unchanged without a tag");
  const listing = await reader.listTree(commit, { folder: null, etag: null, memory: MEMORY });
  if (listing === "unchanged") throw new Error("unchanged without a tag");
  // The bytes of the file are those of the other publisher.
  expect(listing.entries.map(({ path }) => path)).toContain("a/pdf/SKILL.md");
  expect(listing.declared?.skills.map(({ folder, release }) => [folder, release?.publisher])).toEqual([["a", "other"]]);
  expect(listing.declared?.skipped).toMatchObject([{ folder: "a/pdf", code: "unsafe_path" }]);
});
