/** Runs once when the server process starts, before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { bootServer } = await import("@/lib/http/boot/boot-server");
  const { openRouter } = await import("@/lib/http/router/open-router");
  const { ADDRESSES } = await import("@/app/api/generated/addresses");
  // The development server builds what is asked for, when it is: this would have it build all routes at once.
  const routes = process.env.NODE_ENV === "production" ? (await import("@/app/api/generated/routes")).ROUTES : null;
  globalThis.__skillgateRouter = openRouter(ADDRESSES, routes);
  const { listenForDraining } = await import("./lib/http/shutdown");
  listenForDraining();
  await bootServer();
}
