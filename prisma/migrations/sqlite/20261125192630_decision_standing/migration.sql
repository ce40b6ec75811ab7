-- CreateIndex
CREATE INDEX "Decision_standing_versionId_idx" ON "Decision"("standing", "versionId");
