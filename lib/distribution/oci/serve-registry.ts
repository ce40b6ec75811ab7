import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { answerEndpoint, limitReads } from "../answer-endpoint";
import { recordActivity } from "../client-activity";
import { identifyRootViewer, type Viewer } from "../identify-viewer";
import { publicPath } from "../public-address";
import { viewerList } from "../viewer-list";
import { answerBlob, answerManifest, answerReferrers } from "./answer-content";
import { isActive, LATEST, openRepository } from "./open-repository";
import { parseRequest, type RepositoryName } from "./parse-request";
import { ANONYMOUS_TOKEN, API_VERSION, challengeResponse, type RegistryAnswer } from "./registry-answers";
import { hasLayer } from "./write-manifest";

type RegistryQuery = Paging & { artifactType?: string | undefined };
type Asked = { ctx: Ctx; request: Request };

/** `GET /v2/`: says that the protocol is spoken. A caller without credentials gets 401 and where to ask for a token. */
export async function serveBase({ ctx, request }: Asked): Promise<Response> {
  const viewer = await identifyRootViewer(ctx);
  if (mayChallenge(viewer, request)) {
    await limitReads(viewer);
    return challengeResponse();
  }
  return send(request, viewer, async () => ({ body: "{}", contentType: "application/json", kind: "index" }));
}

/**
 * `GET /v2/…` of the OCI distribution specification 1.1: manifests, blobs, tags, referrers and the list of repositories.
 * Errors have the specification’s code as `rule`. A caller without credentials gets 401 for a repository that it may not
 * see or that does not exist.
 */
export async function serveRegistry({ ctx, request }: Asked, path: string, query: RegistryQuery): Promise<Response> {
  const viewer = await identifyRootViewer(ctx);
  const wanted = parseRequest(path);
  if (wanted.kind === "token") return sendToken(request, viewer);
  const work = async (): Promise<RegistryAnswer> => {
    if (wanted.kind === "catalog") return answerCatalog(viewer.ctx, query);
    const { repository } = wanted;
    if (wanted.kind === "tags") return answerTags(viewer.ctx, repository, query);
    if (wanted.kind === "manifests") return answerManifest(viewer.ctx, repository, wanted.reference);
    if (wanted.kind === "blobs") return answerBlob(viewer, request, wanted);
    const mayBeUnknown = !mayChallenge(viewer, request);
    return answerReferrers(viewer.ctx, { ...wanted, artifactType: query.artifactType, mayBeUnknown });
  };
  try {
    return await send(request, viewer, work);
  } catch (error) {
    const isUnknown = error instanceof AppError && error.rule === "NAME_UNKNOWN";
    if (isUnknown && mayChallenge(viewer, request)) return challengeResponse();
    throw error;
  }
}

/** Anonymous tokens are an empty header by now: see `asRegistryCaller`. */
function mayChallenge({ isPublic }: Viewer, request: Request): boolean {
  return isPublic && !request.headers.has("authorization");
}

/** `GET /v2/token`, where clients exchange a password for a bearer token: a token of Skillgate is both. */
async function sendToken(request: Request, viewer: Viewer): Promise<Response> {
  const limits = await limitReads(viewer);
  const token = /^bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? ANONYMOUS_TOKEN;
  const body = { token, access_token: token, expires_in: 300, issued_at: viewer.ctx.now().toISOString() };
  const headers = { ...limits, ...API_VERSION, "cache-control": "no-store" };
  return Response.json(body, { headers });
}

async function send(request: Request, viewer: Viewer, make: () => Promise<RegistryAnswer>): Promise<Response> {
  let more: Record<string, string> = {};
  const response = await answerEndpoint(request, viewer, async () => {
    const { headers = {}, ...answer } = await make();
    more = headers;
    await recordActivity(viewer.ctx, "oci", request);
    return answer;
  });
  for (const [name, value] of Object.entries({ ...API_VERSION, ...more })) response.headers.set(name, value);
  const caching = response.headers.get("cache-control") ?? "";
  // Clients compare the length with the manifest that they read before, and hash the bytes.
  if (!caching.includes("no-transform")) response.headers.set("cache-control", `${caching}, no-transform`);
  return response;
}

/** Answers a write: this registry is read only. An unreadable name or digest is `malformed`. */
export async function refuseWrite(path: string): Promise<never> {
  if (!/(^|\/)blobs\/uploads(\/|$)/.test(path)) parseRequest(path);
  throw new AppError(
    "method_not_allowed",
    "This registry is read only. Import the skill into Skillgate and submit it for review instead.",
    { rule: "UNSUPPORTED", headers: { allow: "GET, HEAD" } },
  );
}

/** `n` items after `last`, as text of the address. */
type Paging = { n?: string | undefined; last?: string | undefined };

/** The version names that the viewer is offered, and `latest` for the active version, in lexical order. */
async function answerTags(ctx: Ctx, name: RepositoryName, paging: Paging): Promise<RegistryAnswer> {
  const { entries } = await openRepository(ctx, name);
  const tags = [...entries.map(({ tag }) => tag), ...(entries.some(isActive) ? [LATEST] : [])];
  const repository = `${name.publisher}/${name.skill}`;
  const { items, headers } = pageOf(tags, paging, `/v2/${repository}/tags/list`);
  return {
    ...{ contentType: "application/json", kind: "index", headers },
    body: JSON.stringify({ name: repository, tags: items }),
  };
}

/** The repositories with an active version that the viewer is offered. */
async function answerCatalog(ctx: Ctx, paging: Paging): Promise<RegistryAnswer> {
  const { ranked } = await viewerList(ctx);
  const names = ranked.filter(hasLayer).map(({ publisher, skill }) => `${publisher.handle}/${skill.slug}`);
  const { items, headers } = pageOf(names, paging, "/v2/_catalog");
  return { contentType: "application/json", kind: "index", headers, body: JSON.stringify({ repositories: items }) };
}

type PageOfNames = { items: string[]; headers: Record<string, string> };

function pageOf(names: string[], { n, last }: Paging, path: string): PageOfNames {
  if (n !== undefined && !/^\d{1,9}$/.test(n)) {
    throw new AppError("malformed", "The parameter n is a number of items.", { rule: "UNSUPPORTED" });
  }
  const sorted = [...new Set(names)].sort().filter((name) => last === undefined || name > last);
  const items = n === undefined ? sorted : sorted.slice(0, Number(n));
  const end = items.at(-1);
  if (end === undefined || items.length === sorted.length) return { items, headers: {} };
  const next = publicPath(`${path}?${new URLSearchParams({ n: String(n), last: end })}`);
  return { items, headers: { link: `<${next}>; rel="next"` } };
}
