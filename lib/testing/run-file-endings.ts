import { afterAll } from "vitest";
import { endings } from "./at-file-end";

afterAll(async () => {
  for (const end of endings().splice(0).reverse()) await end();
});
