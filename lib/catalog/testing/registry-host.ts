import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createGitRepository, type FileChange, type GitRepository } from "@/e2e/fixtures/fake-github/git-repository";
import type { SkillFile } from "@/lib/skill-format/archive/skill-file";
import { writeTarGzOfFolder, writeZip } from "@/lib/skill-format/export/write-archive";

/** The protocols of registries whose releases are archives or files. */
export type HostedProtocol = "index" | "first-index" | "clawhub" | "npm";
type Fault = "html" | "cut" | "down" | null;
type Answer = { json?: unknown; bytes?: Uint8Array };

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/**
 * A registry on this machine whose answers are made from the published documentation of its protocol (fixtures, not recordings of a real
 * host; the addresses are beside the schemas in `lib/catalog/registries`). Each top folder of `publish` is a release.
 */
export async function startRegistryHost(protocol: HostedProtocol) {
  const repository = await createGitRepository();
  const releases = new Map<string, { files: Map<string, SkillFile>; version: number }>();
  const seen: { path: string; authorization: string | null }[] = [];
  const forged = new Map<string, Uint8Array>();
  let fault: Fault = null;
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", origin);
    seen.push({ path: url.pathname, authorization: request.headers.authorization ?? null });
    if (fault === "html") return void response.writeHead(200, { "content-type": "text/html" }).end("<p>Sign in");
    if (fault === "down") return void response.writeHead(503).end();
    if (fault === "cut") {
      response.writeHead(200, { "content-length": "500" }).write('{"skills":');
      return void response.destroy();
    }
    const found = await find(url);
    const bytes = found === null ? null : (found.bytes ?? Buffer.from(JSON.stringify(found.json)));
    if (bytes === null) return void response.writeHead(404).end();
    const etag = `"${sha256(bytes)}"`;
    if (request.headers["if-none-match"] === etag) return void response.writeHead(304).end();
    response.writeHead(200, { etag }).end(bytes);
  }

  const archiveOf = async (name: string): Promise<Uint8Array> => {
    const files = [...(releases.get(name)?.files.values() ?? [])];
    if (protocol === "npm") return (await writeTarGzOfFolder("package", files)) ?? new Uint8Array();
    const meta = { path: "_meta.json", mode: "644" as const, bytes: Buffer.from("{}") };
    return writeZip("", protocol === "clawhub" ? [...files, meta] : files);
  };
  const sent = async (name: string) => forged.get(name) ?? archiveOf(name);
  const all = () => [...releases].sort(([a], [b]) => (a < b ? -1 : 1));

  async function find({ pathname, searchParams }: URL): Promise<Answer | null> {
    if (protocol === "index") return findInIndex(pathname);
    if (protocol === "first-index") return findInFirstIndex(decodeURIComponent(pathname));
    return protocol === "clawhub" ? findInClawHub(pathname, searchParams) : findInNpm(pathname);
  }

  async function findInIndex(path: string): Promise<Answer | null> {
    if (path === "/.well-known/agent-skills/index.json") {
      const entries = all().map(async ([name]) => {
        const digest = `sha256:${sha256(await archiveOf(name))}`;
        return {
          name,
          type: "archive",
          description: name,
          url: `${name}.zip`,
          digest,
          publisher: "acme",
          version: "1.0.0",
        };
      });
      return { json: { skills: await Promise.all(entries) } };
    }
    const name = /^\/\.well-known\/agent-skills\/([^/]+)\.zip$/.exec(path)?.[1];
    return name !== undefined && releases.has(name) ? { bytes: await sent(name) } : null;
  }

  function findInFirstIndex(path: string): Answer | null {
    if (path === "/.well-known/skills/index.json") {
      const skills = all().map(([name, { files }]) => ({ name, description: name, files: [...files.keys()] }));
      return { json: { skills } };
    }
    const [, name = "", file = ""] = /^\/\.well-known\/skills\/([^/]+)\/(.+)$/.exec(path) ?? [];
    const bytes = releases.get(name)?.files.get(file)?.bytes;
    return bytes === undefined ? null : { bytes };
  }

  async function findInClawHub(path: string, query: URLSearchParams): Promise<Answer | null> {
    if (path === "/api/v1/skills") {
      const items = all().map(([slug, { version }]) => ({
        slug,
        updatedAt: version,
        latestVersion: { version: `1.0.${version}` },
      }));
      const half = Math.ceil(items.length / 2);
      return {
        json: query.has("cursor")
          ? { items: items.slice(half), nextCursor: null }
          : { items: items.slice(0, half), nextCursor: "2" },
      };
    }
    if (path === "/api/v1/download") {
      const slug = query.get("slug") ?? "";
      return releases.has(slug) ? { bytes: await sent(slug) } : null;
    }
    const [, slug = "", version] = /^\/api\/v1\/skills\/([^/]+)(\/versions\/[^/]+)?$/.exec(path) ?? [];
    const release = releases.get(slug);
    if (release === undefined) return null;
    if (version === undefined) return { json: { skill: { slug }, owner: { handle: "acme" } } };
    const files = [...release.files.values()].map(({ path: name, bytes }) => ({ path: name, sha256: sha256(bytes) }));
    return { json: { version: { version: `1.0.${release.version}`, files } } };
  }

  async function findInNpm(path: string): Promise<Answer | null> {
    if (path === "/marketplace.json") {
      const plugins = all().map(([name]) => ({
        name,
        description: name,
        source: { source: "npm", package: name, registry: origin },
      }));
      return { json: { name: "acme", owner: { name: "Acme" }, plugins } };
    }
    const [, name = "", isArchive] = /^\/([^/]+?)(\.tgz)?$/.exec(path) ?? [];
    if (!releases.has(name)) return null;
    if (isArchive !== undefined) return { bytes: await sent(name) };
    const integrity = `sha512-${createHash("sha512")
      .update(await archiveOf(name))
      .digest("base64")}`;
    const dist = { tarball: `${origin}/${name}.tgz`, integrity };
    return { json: { name, "dist-tags": { latest: "2.0.0" }, versions: { "2.0.0": { dist } } } };
  }

  return {
    origin,
    seen,
    /** Adds, changes or removes files of releases; links become copies and submodules are left out, as in an archive. */
    publish: async (changes: Record<string, FileChange>) => {
      await repository.commit(commitable(changes, protocol));
      for (const top of new Set(Object.keys(changes).map((path) => path.split("/")[0] ?? ""))) {
        const files = await filesOf(repository, top);
        if (files.size === 0) releases.delete(top);
        else releases.set(top, { files, version: (releases.get(top)?.version ?? 0) + 1 });
      }
    },
    /** The tree that all releases together make, as git lists it. */
    truth: async () => (await repository.listTree("HEAD", true)) ?? [],
    restart: async () => {
      releases.clear();
      await repository.orphan();
    },
    /** Sends these bytes in place of the archive of a release, whose digest stays. */
    forge: (name: string, bytes: Uint8Array | null) => {
      if (bytes === null) forged.delete(name);
      else forged.set(name, bytes);
    },
    fail: (next: Fault) => {
      fault = next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await repository.remove();
    },
  };
}

function commitable(changes: Record<string, FileChange>, protocol: HostedProtocol): Record<string, FileChange> {
  return Object.fromEntries(
    Object.entries(changes).flatMap(([path, change]) => {
      if (!path.includes("/")) return [];
      if (change === null || typeof change === "string" || change instanceof Uint8Array) return [[path, change]];
      if ("submodule" in change) return [];
      if ("linkTo" in change) return [[path, changes[path.replace(/[^/]+$/, change.linkTo)] ?? ""]];
      return [[path, protocol === "first-index" ? change.executable : change]];
    }),
  );
}

async function filesOf(repository: GitRepository, top: string): Promise<Map<string, SkillFile>> {
  const files = new Map<string, SkillFile>();
  for (const { path, type, mode } of (await repository.listTree("HEAD", true)) ?? []) {
    if (type !== "blob" || !path.startsWith(`${top}/`)) continue;
    const bytes = (await repository.readFile("HEAD", path)) ?? Buffer.alloc(0);
    const inside = path.slice(top.length + 1);
    files.set(inside, { path: inside, mode: mode === "100755" ? "755" : "644", bytes: new Uint8Array(bytes) });
  }
  return files;
}
