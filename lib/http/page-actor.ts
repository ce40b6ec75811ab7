import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { hasAdmin } from "@/lib/auth/people/setup";
import { authenticateRequest } from "@/lib/auth/sessions/authenticate-request";
import type { Role } from "@/lib/core/actor";
import { createCtx } from "@/lib/db/context";
import { getDatabase } from "@/lib/db/open-database";

type PageActor = { userId: string; name: string; email: string; role: Role };

/** Person of the session cookie; null when signed out. Read once per request. */
export const findPageActor = cache(async (): Promise<PageActor | null> => {
  const ctx = createCtx({ actor: { kind: "anonymous" }, database: await getDatabase() });
  const cookie = (await cookies())
    .getAll()
    .map(({ name, value }) => `${name}=${value}`)
    .join("; ");
  const actor = await authenticateRequest(ctx, new Request("http://page.invalid/", { headers: { cookie } }));
  if (actor.kind !== "user") return null;
  const { userId, name, email, role } = actor;
  return { userId, name, email, role };
});

/** Whether the server has an admin. Without one, every page leads to the set-up. */
export const isSetUp = cache(
  async (): Promise<boolean> => hasAdmin(createCtx({ actor: { kind: "anonymous" }, database: await getDatabase() })),
);

/** Person of the page; redirects to sign-in (or the set-up) when signed out, and to the 403 page for other roles. */
export async function requirePageActor(roles?: Role[]): Promise<PageActor> {
  const actor = await findPageActor();
  if (actor === null && !(await isSetUp())) redirect("/setup");
  if (actor === null) redirect(`/sign-in?next=${encodeURIComponent(await currentPath())}`);
  if (roles !== undefined && !roles.includes(actor.role)) redirect("/forbidden");
  return actor;
}

/** Path of the page, from the proxy; never of another site. */
async function currentPath(): Promise<string> {
  const path = (await headers()).get("x-skillgate-path") ?? "";
  return /^\/(?![/\\])/.test(path) ? path : "/skills";
}
