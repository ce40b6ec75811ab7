import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { authenticateRequest } from "@/lib/auth/sessions/authenticate-request";
import type { Role } from "@/lib/core/actor";
import { createCtx } from "@/lib/db/context";
import { getDatabase } from "@/lib/db/open-database";

export type PageActor = { userId: string; name: string; email: string; role: Role };

/** Who looks at the page, by the session cookie alone; null for nobody. Read once a request, however many ask. */
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

/** Who looks at the page; anybody not signed in is sent to sign in and back, and other roles than these to the 403 page. */
export async function requirePageActor(roles?: Role[]): Promise<PageActor> {
  const actor = await findPageActor();
  if (actor === null) redirect(`/sign-in?next=${encodeURIComponent(await currentPath())}`);
  if (roles !== undefined && !roles.includes(actor.role)) redirect("/forbidden");
  return actor;
}

/** The page's own address, when the proxy passes it on; never another site's. */
async function currentPath(): Promise<string> {
  const path = (await headers()).get("x-skillgate-path") ?? "";
  return /^\/(?![/\\])/.test(path) ? path : "/skills";
}
