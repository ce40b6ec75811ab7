import { describe, expect, it } from "vitest";
import { imagesOf } from "./result-forms";

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const image = { mediaType: "image/png", base64: png };
const none = { images: [], svg: null };

describe("imagesOf", () => {
  it.each([
    ["a data URL", `data:image/png;base64,${png}`],
    ["a MIME type and data", { mimeType: "image/png", data: png }],
    ["a media type and data", { mediaType: "IMAGE/PNG", data: png }],
    ["data that is a URL itself", { mimeType: "image/png", data: `data:image/png;base64,${png}` }],
    [
      "MCP content",
      {
        content: [
          { type: "text", text: "here" },
          { type: "image", mimeType: "image/png", data: png },
        ],
      },
    ],
    ["base64 with line ends", { mimeType: "image/png", data: `${png.slice(0, 40)}\n${png.slice(40)}` }],
  ])("finds the picture in %s", (_, value) => {
    expect(imagesOf(value)).toEqual({ images: [image], svg: null });
  });

  it.each([
    ["text that calls itself a picture", { mimeType: "image/png", data: btoa("<script>alert(1)</script>") }],
    ["another kind of bytes", { mimeType: "image/gif", data: png }],
    ["an unknown kind", { mimeType: "image/bmp", data: png }],
    ["a page", `data:text/html;base64,${btoa("<b>")}`],
    ["a kind that closes the quote", { mimeType: 'image/png" onload="x', data: png }],
    ["what is not base64", { mimeType: "image/png", data: `${png}"><b>` }],
    ["no data", { mimeType: "image/png" }],
    ["nothing", null],
    ["a number", 5],
    ["an empty list", []],
  ])("finds none in %s", (_, value) => {
    expect(imagesOf(value)).toEqual(none);
  });

  it.each([
    ["base64", { mimeType: "image/svg+xml", data: btoa(svg) }],
    ["a data URL", `data:image/svg+xml;base64,${btoa(svg)}`],
    ["an escaped data URL", `data:image/svg+xml,${encodeURIComponent(svg)}`],
  ])("gives an SVG in %s as source, never as a picture", (_, value) => {
    expect(imagesOf(value)).toEqual({ images: [], svg });
  });
});
