"use client";

import { SopDocuments } from "./sop-documents";
import { SopKeys } from "./sop-keys";
import { SopRule } from "./sop-rule";

/** Signed standard operating procedures, the keys they are signed with, and whether dangerous runs need one. */
export function SopSection() {
  return (
    <>
      <SopRule />
      <SopDocuments />
      <SopKeys />
    </>
  );
}
