"use client";

import { useState } from "react";
import { CodeBlock } from "@/components/ui/code-block";
import { formatBytes } from "@/components/ui/format-bytes";
import { Notice } from "@/components/ui/notice";
import type { ImageData, ImagesOf } from "./image-of";

/** Pictures a run returned. The page's content security policy lets `data:` in for pictures, which run nothing. */
export function JsonImages({ found: { images, svg }, label }: { found: ImagesOf; label: string }) {
  return (
    <div className="flex flex-col gap-4 p-4">
      {images.map((image, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a picture is its place
        <Picture key={index} image={image} alt={images.length > 1 ? `${label}, ${index + 1}` : label} />
      ))}
      {svg === null ? null : (
        <>
          <Notice>An SVG can hold scripts, so its source is shown and not the picture.</Notice>
          <CodeBlock code={svg} label="SVG source" wrap className="max-h-96" />
        </>
      )}
    </div>
  );
}

function Picture({ image: { mediaType, base64 }, alt }: { image: ImageData; alt: string }) {
  const [size, setSize] = useState<string | null>(null);
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <Notice tone="warning">This picture could not be read. Raw shows what came.</Notice>;
  return (
    <figure className="flex flex-col gap-1.5">
      {/* biome-ignore lint/performance/noImgElement: the bytes are here already, there is nothing to optimise */}
      <img
        src={`data:${mediaType};base64,${base64}`}
        alt={alt}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setSize(`${naturalWidth} × ${naturalHeight}`)}
        onError={() => setBroken(true)}
        className="max-h-[32rem] w-fit max-w-full rounded-md border bg-muted object-contain"
      />
      <figcaption className="text-muted-foreground text-xs tabular-nums">
        {[mediaType, size, formatBytes(Math.floor((base64.length * 3) / 4))].filter(Boolean).join(" · ")}
      </figcaption>
    </figure>
  );
}
