import { connection } from "next/server";
import { AuthFrame } from "@/components/auth/auth-frame";
import { NotFoundMessage } from "@/components/auth/error-messages";
import { SetupNeeded } from "@/components/auth/setup-needed";
import { isSetUp } from "@/lib/http/page-actor";

export default async function NotFound() {
  await connection();
  return <AuthFrame>{(await isSetUp()) ? <NotFoundMessage /> : <SetupNeeded />}</AuthFrame>;
}
