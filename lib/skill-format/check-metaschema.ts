import { Validator } from "@cfworker/json-schema";
import applicator from "ajv/dist/refs/json-schema-2020-12/meta/applicator.json";
import content from "ajv/dist/refs/json-schema-2020-12/meta/content.json";
import core from "ajv/dist/refs/json-schema-2020-12/meta/core.json";
import format from "ajv/dist/refs/json-schema-2020-12/meta/format-annotation.json";
import metaData from "ajv/dist/refs/json-schema-2020-12/meta/meta-data.json";
import unevaluated from "ajv/dist/refs/json-schema-2020-12/meta/unevaluated.json";
import validation from "ajv/dist/refs/json-schema-2020-12/meta/validation.json";
import type { FieldError } from "@/lib/core/errors";
import type { JsonObject } from "./schema";
import { isMapping } from "./take-fields";

const VOCABULARIES = [core, applicator, unevaluated, validation, metaData, format, content];
/** What the metaschema itself names beside its vocabularies. */
const OLDER = { definitions: { type: "object", additionalProperties: { $dynamicRef: "#meta" } } };

/**
 * The keywords of one place of a schema that the metaschema of draft 2020-12 does not allow; subschemas are judged at their
 * own place. Interprets the published vocabularies, so that browsers, which forbid `eval`, use it too. Unknown keywords are
 * allowed.
 */
export function checkMetaschema(schema: JsonObject, path: string): FieldError[] {
  return Object.entries(schema).flatMap(([key, value]) => {
    const rule = RULES.get(key);
    if (rule === undefined) return [];
    const { valid, errors } = rule.validate(value);
    const last = errors.at(-1);
    if (valid || last === undefined) return [];
    const below = last.instanceLocation.split("/").slice(1).map(decodePointerPart);
    // A union of rules says at its last branch what all of them refuse.
    const at = key === "type" ? [] : below;
    const message =
      key === "type"
        ? `${JSON.stringify(value).slice(0, 100)} is no type: ${TYPES} or a list of different ones.`
        : `JSON Schema 2020-12 does not allow this value: ${last.error}`;
    return [{ path: [path, key, ...at].filter((part) => part !== "").join("."), message }];
  });
}

const TYPES = "one of null, boolean, object, array, number, string, integer";

const RULES = readRules();

function readRules(): Map<string, Validator> {
  const documents = VOCABULARIES.map(
    (vocabulary) => flatten(vocabulary) as { properties: JsonObject; $defs?: JsonObject },
  );
  const $defs = Object.assign({}, ...documents.map((document) => document.$defs));
  const properties: JsonObject = Object.assign(flatten(OLDER) as JsonObject, ...documents.map((one) => one.properties));
  return new Map(
    Object.entries(properties).map(([key, rule]) => [
      key,
      new Validator({ allOf: [rule], $defs } as JsonObject, "2020-12"),
    ]),
  );
}

/** Without formats, which annotate, and with the kind of a subschema where it would be judged itself. */
function flatten(document: object): unknown {
  return JSON.parse(JSON.stringify(document), (key, value: unknown) => {
    if (key === "format" && typeof value === "string") return undefined;
    const isSubschema = isMapping(value) && typeof value.$dynamicRef === "string";
    return isSubschema ? { type: ["object", "boolean"] } : value;
  });
}

function decodePointerPart(part: string): string {
  return decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
}
