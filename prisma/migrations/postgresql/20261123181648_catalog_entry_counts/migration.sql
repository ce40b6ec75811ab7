-- CreateIndex
CREATE INDEX "CatalogEntry_sourceId_state_blockedCode_idx" ON "CatalogEntry"("sourceId", "state", "blockedCode");
