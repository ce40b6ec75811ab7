-- DropIndex
DROP INDEX "Run_parentRunId_stepIndex_idx";

-- CreateIndex
CREATE UNIQUE INDEX "Run_parentRunId_stepIndex_key" ON "Run"("parentRunId", "stepIndex");
