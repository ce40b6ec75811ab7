import { expect, it } from "vitest";
import { testEnv } from "./test-run.mjs";

it("keeps the operator's settings away from tests", () => {
  const env = {
    PATH: "/bin",
    CI: "true",
    PORT: "80",
    DATABASE_URL: "file:real",
    SKILLGATE_DATA: "/srv",
    NODE_ENV: "production",
  };
  expect(testEnv(env)).toEqual({ PATH: "/bin", CI: "true" });
});
