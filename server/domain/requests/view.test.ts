import { expect, test } from "vitest";
import { catalogueEntry, FAILURE_CODES } from "@/server/platform/errors";
import { explainFailure } from "@/server/domain/messages/model/explain-failure";
import { viewOf } from "./view";

const ROW = {
  id: "1",
  refusedAt: new Date(0),
  keyId: "2",
  keyName: "Shop",
  secretPrefix: null,
  secretLastFour: null,
  method: "POST",
  route: "/api/public/v1/messages",
  status: 422,
  field: null,
  clientMessageId: null,
  durationMs: 1,
} as const;

const BOTH = FAILURE_CODES.filter((code) => catalogueEntry(code).status !== null);

test.each(BOTH)("%s tells support the same, whether a request or a message met it", (code) => {
  const failure = explainFailure({ errorCode: code, errorDetail: null, failedAt: null });
  const { explanation } = viewOf({ ...ROW, code });
  expect(explanation).toMatchObject({ message: failure.message, nextStep: failure.nextStep });
  expect(explanation?.remedy).toBe(catalogueEntry(code).remedy);
});
