import { encode } from "next-auth/jwt";
import { newId } from "@/lib/core/ids";
import type { Database } from "@/lib/db/database";

const HOUR_MS = 3_600_000;

/** Headers of a signed-in person's browser on a page of this site. */
export async function browserOf(database: Database, userId: string): Promise<Record<string, string>> {
  const [id, at] = [newId(), new Date()];
  const times = { createdAt: at, lastSeenAt: at, expiresAt: new Date(at.getTime() + HOUR_MS) };
  await database.writer.session.create({ data: { id, userId, ...times } });
  const token = await encode({ token: { uid: userId, sid: id }, secret: process.env.NEXTAUTH_SECRET ?? "" });
  return { cookie: `next-auth.session-token=${token}`, "sec-fetch-site": "same-origin" };
}
