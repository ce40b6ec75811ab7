"use client";

import { ScrollText } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Digest } from "@/components/ui/digest";
import { Drawer, DrawerContent, DrawerTrigger } from "@/components/ui/drawer";

type SopLinkProps = { sop: { title: string; text: string; digest: string; valid: boolean } };

export function SopLink({ sop }: SopLinkProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-13">
      <span className="flex min-w-0 items-center gap-2">
        <ScrollText aria-hidden className="size-4 shrink-0 text-muted-foreground" />
        <span className="min-w-0 break-words font-medium">{sop.title}</span>
      </span>
      <SopSignature valid={sop.valid} />
      <Digest value={sop.digest} label="digest of the procedure" />
      <Drawer>
        <DrawerTrigger asChild>
          <Button size="sm">Read procedure</Button>
        </DrawerTrigger>
        <SopText sop={sop} />
      </Drawer>
    </div>
  );
}

/** The exact signed text, for a Drawer. */
function SopText({ sop }: SopLinkProps) {
  return (
    <DrawerContent title={sop.title} size="lg">
      <div className="mb-4 flex items-center gap-3 text-13">
        <SopSignature valid={sop.valid} />
        <Digest value={sop.digest} label="digest of the procedure" />
      </div>
      {/* As text, not rendered: the signature covers these characters. */}
      <pre className="whitespace-pre-wrap break-words font-sans text-sm leading-6">{sop.text}</pre>
    </DrawerContent>
  );
}

function SopSignature({ valid }: { valid: boolean }) {
  return <Badge tone={valid ? "success" : "danger"}>{valid ? "Signature verified" : "Signature invalid"}</Badge>;
}
