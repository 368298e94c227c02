import { z } from "zod";
import { PUBLIC_CODES } from "@/server/platform/errors";
import { timeInput, sinceInput } from "@/server/core/input/time-input";
import { pageInput } from "@/server/core/paging";

const TEXT_LENGTH_MAX = 500;
const text = z.string().max(TEXT_LENGTH_MAX, `must have at most ${TEXT_LENGTH_MAX} characters`);

export const CODES = PUBLIC_CODES;

/** The filters of refused requests; all given ones must match. */
const filterShape = {
  requestId: text.optional(),
  keyId: z.string().optional(),
  code: z.enum(CODES).optional(),
  status: z.int().min(400).max(599).optional(),
  method: text.optional(),
  /** The path's template, as shown in rows. */
  route: text.optional(),
  clientMessageId: text.optional(),
  /** The request's own id, or the integrator's: for a search that doesn't know which one it has. */
  anyId: text.optional(),
  /**
   * The recipient: a number in any spelling, the last digits of a contact's number, or the id of a contact or
   * conversation.
   */
  recipient: text.optional(),
  since: sinceInput.optional().meta({ description: "Only requests refused at this time or later" }),
  until: timeInput.optional().meta({ description: "Only requests refused before this time" }),
} as const;

export const filterSchema = z.strictObject(filterShape);
export type RefusalFilter = z.output<typeof filterSchema>;

export const listRequestsSchema = z.strictObject({ ...filterShape, ...pageInput });
export type ListRequestsInput = z.output<typeof listRequestsSchema>;

const { keyId, method, route, since, until } = filterShape;
export const summarizeRequestsSchema = z.strictObject({ keyId, method, route, since, until });

export const getRequestSchema = z.strictObject({ requestId: z.string() });
