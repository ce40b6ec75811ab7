import { ROUTES } from "./generated/routes";
import { routerOf, startServer } from "./server";

/** Answers every route file. */
export const router = routerOf(ROUTES);

/** Starts the built server (bin/build-server.mjs): everything but the pages, which Next builds and renders. */
export const start = (): Promise<void> => startServer(router);
