/** The addresses that route files declare besides their paths, in the form of `rewrites` in next.config.mjs. */
export function publicRewrites(): { source: string; destination: string }[];
/** Writes what the router is made from into app/api/generated. */
export function writeRouteTable(): void;
