import type { Metadata } from "next";
import { SourceSection } from "@/components/catalog/sources/source-section";
import { TokenSection } from "@/components/catalog/sources/token-section";
import { requirePageActor } from "@/lib/http/page-actor";

export const metadata: Metadata = { title: "Skill catalog" };

export default async function SkillCatalog() {
  await requirePageActor(["admin"]);
  return (
    <>
      <SourceSection />
      <TokenSection />
    </>
  );
}
