import { expect, test } from "vitest";
import { directMatcher } from "@/lib/http/direct/match-direct";
import { DIRECT_ROUTES } from "./direct-routes";
import { ROUTE_TABLE } from "./route-table";

test("a path with a route of its own is never taken for a parameter of another", () => {
  const match = directMatcher(DIRECT_ROUTES);
  const taken = ROUTE_TABLE.flatMap(([path]) =>
    DIRECT_ROUTES.filter(({ method }) => match(method, path.replaceAll(/\[\w+\]/g, "x1"))).map((route) => [
      `${route.method} ${path}`,
      match(route.method, path.replaceAll(/\[\w+\]/g, "x1"))?.handler,
    ]),
  );
  expect(Object.fromEntries(taken)).toEqual(
    Object.fromEntries(DIRECT_ROUTES.map(({ method, path, handler }) => [`${method} ${path}`, handler])),
  );
});
