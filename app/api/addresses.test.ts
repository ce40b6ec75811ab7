import { expect, it } from "vitest";
import { publicRewrites } from "@/bin/prepare/route-table.mjs";
import { addressTable } from "@/lib/http/router/find-address";
import { ADDRESSES } from "./generated/addresses";

const find = addressTable(ADDRESSES);
const digest = "0".repeat(64);

it("every route file has an address of its own", () => {
  const own = ADDRESSES.endpoints.map((path) => find(path.replaceAll(/\[(?:\.\.\.)?\w+\]/g, "x1")).name);
  expect(own).toEqual(ADDRESSES.endpoints);
});

it.each([
  ["/.well-known/agent-skills/index.json", "/api/distribution/well-known/root/agent-skills/index.json"],
  ["/.well-known/skills/index.json?x=1", "/api/distribution/well-known/root/skills/index.json?x=1"],
  ["/.well-known/skills/pdf/scripts%2Frun.sh", "/api/distribution/well-known/root/skills/pdf/scripts%2Frun.sh"],
  ["/s/acme/pdf/.well-known/skills/index.json", "/api/distribution/well-known/s~acme~pdf/skills/index.json"],
  [
    "/s/acme/pdf@1.2.0/.well-known/skills/index.json",
    "/api/distribution/well-known/s~acme~pdf@1.2.0/skills/index.json",
  ],
  ["/s/acme/pdf%401/.well-known/skills/index.json", "/api/distribution/well-known/s~acme~pdf@1/skills/index.json"],
  ["/p/acme/.well-known/agent-skills/index.json", "/api/distribution/well-known/p~acme/agent-skills/index.json"],
  ["/c/start/.well-known/agent-skills/index.json", "/api/distribution/well-known/c~start/agent-skills/index.json"],
  [
    "/t/sgc_a-b_c/.well-known/agent-skills/index.json",
    "/api/distribution/well-known/t~sgc_a-b_c/agent-skills/index.json",
  ],
  [`/a/pdf/${digest}.tar.gz`, `/api/distribution/artifacts/root/pdf/${digest}.tar.gz`],
  [
    "/git/catalog.git/info/refs?service=git-upload-pack",
    "/api/distribution/git/root/info/refs?service=git-upload-pack",
  ],
  ["/c/start/git/catalog.git/git-upload-pack", "/api/distribution/git/c~start/git-upload-pack"],
  ["/t/sgc_x/git/catalog.git/HEAD", "/api/distribution/git/t~sgc_x/HEAD"],
  ["/git/mine.git/info/refs", "/api/distribution/git-mine/info/refs"],
  ["/marketplace.json", "/api/distribution/marketplace/root"],
  ["/p/acme/marketplace.json", "/api/distribution/marketplace/p~acme"],
  ["/.well-known/clawhub.json", "/api/distribution/clawhub"],
  ["/.well-known/clawdhub.json", "/api/distribution/clawhub"],
  ["/v2/", "/api/distribution/oci"],
  ["/v2", "/api/distribution/oci"],
  ["/v2/token?service=x", "/api/distribution/oci/token?service=x"],
  ["/v2/acme/pdf/tags/list?n=1", "/api/distribution/oci/acme/pdf/tags/list?n=1"],
  [`/v2/acme/pdf/manifests/sha256:${digest}`, `/api/distribution/oci/acme/pdf/manifests/sha256:${digest}`],
  ["/v2/acme/pdf/blobs/uploads/", "/api/distribution/oci/acme/pdf/blobs/uploads"],
  [`/t/sgc_x/a/pdf/${digest}/SKILL.md`, `/api/distribution/artifacts/t~sgc_x/pdf/${digest}/SKILL.md`],
])("%s is answered by %s", (url, route) => {
  expect(find(url).endpoint?.target).toBe(route);
});

it.each([
  "/",
  "/skills",
  "/api/skills",
  "/s/acme/pdf",
  "/git/catalog.git",
  "/git/catalog.git/../../api/audit",
  "/git/catalogXgit/info/refs",
  "/.well-known/oauth-protected-resource",
  "/.well-known/skills/",
  "/.well-known/skills/pdf/../../../api/audit",
  "/x/.well-known/skills/index.json",
  "/s/acme/pdf/more/.well-known/skills/index.json",
  "/t/a%2Fb/.well-known/skills/index.json",
  "/skills?next=/.well-known/skills/index.json",
])("%s is no distribution address", (url) => {
  expect(find(url).name).not.toMatch(/^\/api\/distribution\//);
});

it.each([
  "/GIT/catalog.git/info/refs",
  "/git/Catalog.git/info/refs",
  "/A/pdf/x.zip",
  "/c/start/Marketplace.json",
  "/.Well-Known/skills/index.json",
])("%s in the wrong case is no address", (url) => {
  expect(find(url)).toEqual({ name: "other", endpoint: null });
});

it("the former address of client activity still answers", () => {
  expect(find("/api/doors/seen").endpoint?.target).toBe("/api/distribution/client-activity");
});

it("the framework’s rewrites are of the same addresses", () => {
  expect(publicRewrites()).toHaveLength(ADDRESSES.rewrites.length);
  expect(publicRewrites()).toContainEqual({
    source: "/c/:collection([A-Za-z0-9._-]+)/.well-known/:format(agent-skills|skills)/:path+",
    destination: "/api/distribution/well-known/c~:collection/:format/:path+",
  });
});
