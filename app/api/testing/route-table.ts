import { ROUTES } from "../generated/routes";

/** Every loaded route file, by its path. */
export const ROUTE_TABLE: [path: string, module: Record<string, unknown>][] = await Promise.all(
  Object.entries(ROUTES).map(async ([path, load]): Promise<[string, Record<string, unknown>]> => [path, await load()]),
);
