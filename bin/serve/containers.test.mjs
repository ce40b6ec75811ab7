import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { root } from "../root.mjs";
import { secretNames } from "./secret-files.mjs";

const read = (name) => readFileSync(path.join(root, name), "utf8");
const compose = parse(read("compose.yaml"), { merge: true });
const services = Object.entries(compose.services);
const dockerfile = read("Dockerfile");

it("the compose file refers to nothing that it does not define", () => {
  for (const [name, service] of services) {
    for (const secret of service.secrets ?? []) expect(compose.secrets, `${name}: ${secret}`).toHaveProperty(secret);
    const networks = Array.isArray(service.networks) ? service.networks : Object.keys(service.networks);
    for (const network of networks) expect(compose.networks, `${name}: ${network}`).toHaveProperty(network);
    for (const volume of service.volumes ?? []) {
      expect(compose.volumes, `${name}: ${volume}`).toHaveProperty([volume.split(":")[0]]);
    }
    const needed = Array.isArray(service.depends_on) ? service.depends_on : Object.keys(service.depends_on ?? {});
    for (const other of needed) expect(compose.services, `${name}: ${other}`).toHaveProperty([other]);
    for (const { source } of service.configs ?? []) expect(compose.configs, name).toHaveProperty(source);
  }
});

it("nothing has a default password: secrets come from files, and what has to be said stops the start when it is not", () => {
  for (const [name, { environment = {}, secrets = [] }] of services) {
    for (const [variable, value] of Object.entries(environment)) {
      if (!/PASSWORD|SECRET|TOKEN|DATABASE_URL/.test(variable)) continue;
      expect(variable, name).toMatch(/_FILE$/);
      expect(secrets, name).toContain(value.replace("/run/secrets/", ""));
    }
  }
  const variables = read("compose.yaml").match(/\$\{[^}]*\}/g) ?? [];
  expect(variables.length).toBeGreaterThan(0);
  for (const variable of variables) expect(variable).toMatch(/^\$\{[A-Z_]+:\?[^}]+\}$/);
});

it("the secrets that web processes take from files are ones that the launcher reads", () => {
  const { environment } = compose.services["web-1"];
  const files = Object.keys(environment).filter((name) => name.endsWith("_FILE"));
  expect(files.length).toBeGreaterThan(2);
  for (const file of files) expect(secretNames).toContain(file.replace(/_FILE$/, ""));
});

it("the two web processes share their keys and nothing else of the disk", () => {
  const [one, two] = ["web-1", "web-2"].map((name) => compose.services[name].volumes);
  expect(one.filter((volume) => two.includes(volume))).toEqual(["keys:/keys"]);
});

it("what the image copies is there, or is made by its build", () => {
  const made = ["node_modules", ".next", ".build"];
  const copied = [...dockerfile.matchAll(/--from=build ((?:\/app\/\S+ ?)+)/g)].flatMap(([, files]) =>
    files
      .trim()
      .split(" ")
      .map((file) => file.replace("/app/", "")),
  );
  expect(copied).toEqual(expect.arrayContaining([...made, "bin", "public", "prisma/migrations"]));
  for (const file of copied) expect(made.includes(file) || existsSync(path.join(root, file)), file).toBe(true);
});

it("nothing of an instance gets into an image", () => {
  const ignored = read(".dockerignore").split("\n");
  expect(ignored).toEqual(expect.arrayContaining([".env", ".env.*", "data", "secrets", ".git", "node_modules"]));
});
