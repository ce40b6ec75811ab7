import { bootServer } from "@/lib/http/boot/boot-server";
import type { Routes } from "@/lib/http/router/answer-endpoint";
import { openRouter } from "@/lib/http/router/open-router";
import { listenForDraining } from "@/lib/http/shutdown";
import { ADDRESSES } from "./generated/addresses";

/** The router over all addresses. Without `routes` it leaves answering to the framework, as in `next dev`. */
export const routerOf = (routes: Routes | null) => openRouter(ADDRESSES, routes);

/** Boots the instance behind a router; problems are reported to the launcher. */
export async function startServer(router: ReturnType<typeof routerOf>): Promise<void> {
  globalThis.__skillgateRouter = router;
  listenForDraining();
  await bootServer();
}
