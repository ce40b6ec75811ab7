import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { publicPath } from "../public-address";
import { viewerList } from "../viewer-list";
import { hasLayer } from "./layers";
import { isActive, LATEST, openRepository } from "./open-repository";
import type { RepositoryName } from "./parse-request";
import type { RegistryAnswer } from "./registry-answers";

/** `n` items after `last`, as text of the address. */
export type Paging = { n?: string | undefined; last?: string | undefined };

/** The version names that the viewer is offered, and `latest` for the active version, in lexical order. */
export async function answerTags(ctx: Ctx, name: RepositoryName, paging: Paging): Promise<RegistryAnswer> {
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
export async function answerCatalog(ctx: Ctx, paging: Paging): Promise<RegistryAnswer> {
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
