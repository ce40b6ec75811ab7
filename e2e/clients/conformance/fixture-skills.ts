import type { PackFile } from "../../fixtures/api";

/** One pixel, as PNG, and silence, as WAV; both in base64. */
const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SOUND = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

const SECONDS_BETWEEN_LINES = 0.1;

const image = { type: "image", data: PICTURE, mimeType: "image/png" };
const sound = { type: "audio", data: SOUND, mimeType: "audio/wav" };
const embedded = (uri: string, mimeType: string, text: string) => ({
  type: "resource",
  resource: { uri, mimeType, text },
});

/** The folder whose files are the suite’s fixed resources; see `ADDRESSES`. */
const FOLDER = "conformance-files";

/** The suite’s fixed addresses, and the addresses of the same content here: resources of the product are files of skills. */
export const ADDRESSES: Readonly<Record<string, string>> = {
  "test://static-text": `skill://${FOLDER}/static-text.txt`,
  "test://static-binary": `skill://${FOLDER}/static-binary.png`,
  "test://template/123/data": `skill://${FOLDER}/template/123/data.json`,
  "test://watched-resource": `skill://${FOLDER}/SKILL.md`,
  "test://example-resource": `skill://${FOLDER}/static-text.txt`,
};

/** The tools, resources and prompts that `@modelcontextprotocol/conformance` expects, as ordinary skills by name. */
export const FIXTURE_SKILLS: Readonly<Record<string, PackFile[]>> = {
  test_simple_text: prints("test_simple_text", "This is a simple text response for testing."),
  test_image_content: prints("test_image_content", { content: [image] }),
  test_audio_content: prints("test_audio_content", { content: [sound] }),
  test_embedded_resource: prints("test_embedded_resource", {
    content: [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
  }),
  test_multiple_content_types: prints("test_multiple_content_types", {
    content: [
      { type: "text", text: "Multiple content types test:" },
      image,
      embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ],
  }),
  test_tool_with_logging: runs("test_tool_with_logging", sayLines(["started", "processing", "completed"])),
  test_tool_with_progress: runs("test_tool_with_progress", sayLines(["0 of 100", "50 of 100", "100 of 100"])),
  test_error_handling: runs(
    "test_error_handling",
    "echo 'This tool intentionally returns an error for testing' >&2\nexit 1\n",
  ),
  test_logging_tool: runs("test_logging_tool", sayLines(["one line"])),
  test_streaming_elicitation: prints("test_streaming_elicitation", "done"),
  test_reconnection: prints("test_reconnection", "done"),
  test_input_required_result_elicitation: changes("test_input_required_result_elicitation"),
  test_input_required_result_tampered_state: changes("test_input_required_result_tampered_state"),
  test_missing_capability: changes("test_missing_capability"),
  test_mirrored_parameter: runs("test_mirrored_parameter", "echo '\"done\"'\n", {
    schema: { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } },
  }),
  json_schema_2020_12_tool: runs("json_schema_2020_12_tool", "echo '{}'\n", {
    schema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: {
        address: {
          $anchor: "addressDef",
          type: "object",
          properties: { street: { type: "string" }, city: { type: "string" } },
        },
      },
      properties: {
        name: { type: "string" },
        address: { $ref: "#/$defs/address" },
        contactMethod: { type: "string", enum: ["phone", "email"] },
        phone: { type: "string" },
        email: { type: "string" },
      },
      allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
      if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ["phone"] },
      else: { required: ["email"] },
      additionalProperties: false,
    },
  }),
  test_simple_prompt: prompt("test_simple_prompt", "This is a simple prompt for testing."),
  test_prompt_with_arguments: prompt(
    "test_prompt_with_arguments",
    "Prompt with arguments: arg1='$0', arg2='$1'",
    "arguments: [arg1, arg2]\n",
  ),
  [FOLDER]: [
    ...prompt(FOLDER, "Files that the conformance suite reads."),
    { path: "static-text.txt", text: "This is the content of the static text resource." },
    { path: "static-binary.png", text: Buffer.from(PICTURE, "base64") },
    { path: "template/123/data.json", text: '{"id":"123","templateTest":true,"data":"Data for ID: 123"}' },
  ],
};

type Manifest = Record<string, unknown>;

function runs(name: string, script: string, manifest: Manifest = {}): PackFile[] {
  const schema = { type: "object", properties: {} };
  const json = {
    name,
    description: `Fixture ${name} of the conformance suite.`,
    class: "safe",
    entry: "run.sh",
    schema,
  };
  return [
    { path: "skill.json", text: JSON.stringify({ ...json, ...manifest }, null, 2) },
    { path: "run.sh", text: `#!/bin/sh\n${script}`, executable: true },
  ];
}

function prints(name: string, result: unknown): PackFile[] {
  return runs(name, `cat <<'END'\n${JSON.stringify(result)}\nEND\n`);
}

function changes(name: string): PackFile[] {
  return runs(name, "echo '\"changed\"'\n", { class: "mutating" });
}

function sayLines(lines: string[]): string {
  const said = lines.map((line) => `echo '${line}' >&2\nsleep ${SECONDS_BETWEEN_LINES}\n`);
  return `${said.join("")}echo '"said"'\n`;
}

function prompt(name: string, body: string, more = ""): PackFile[] {
  const text = `---\nname: ${name}\ndescription: Fixture ${name} of the conformance suite.\n${more}---\n\n${body}\n`;
  return [{ path: "SKILL.md", text }];
}
