import { acceptInvite } from "@/lib/auth/people/invites";
import { updateUser } from "@/lib/auth/people/users";
import type { Actor } from "@/lib/core/actor";
import { createCtx } from "@/lib/db/context";
import type { DatabaseAddress } from "@/lib/db/database";
import { openDatabase } from "@/lib/db/open-database";
import { activateVersion } from "@/lib/review/activate-version";
import { decideVersion } from "@/lib/review/decide-version";
import { decideRun } from "@/lib/runner/approvals/decide-run";
import { startRun } from "@/lib/runner/runs/start-run";
import { createVersion } from "@/lib/skills/versions/create-version";

const VERBS = {
  acceptInvite,
  activateVersion,
  createVersion,
  decideRun,
  decideVersion,
  startRun,
  updateUser,
} as const satisfies Record<string, (ctx: never, ...rest: never[]) => Promise<unknown>>;

/** A verb of the product, its actor, and its arguments after the context. */
export type Act = {
  [V in keyof typeof VERBS]: {
    verb: V;
    actor: Actor;
    args: Parameters<(typeof VERBS)[V]> extends [never, ...infer A] | [unknown, ...infer A] ? A : never;
  };
}[keyof typeof VERBS];

/** `code` of the error that a verb threw; null when it succeeded. */
export type Acted = { code: string | null; message: string };

/** A process of its own: performs the verbs that its parent sends, one after the other, and answers each. */
const database = await openDatabase(JSON.parse(process.argv[2] ?? "") as DatabaseAddress);

process.on("message", async ({ verb, actor, args }: Act) => {
  const perform = VERBS[verb] as (ctx: unknown, ...rest: unknown[]) => Promise<unknown>;
  process.send?.(
    await perform(createCtx({ actor, database }), ...args).then(
      (): Acted => ({ code: null, message: "" }),
      (error: unknown): Acted => ({
        code: error instanceof Error && "code" in error ? String(error.code) : "unknown",
        message: String(error),
      }),
    ),
  );
});
process.send?.("ready");
