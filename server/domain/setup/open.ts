import { z } from "zod";
import type { OpenContext } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { tokenSchema } from "@/server/domain/members/token";
import { parseInput } from "@/server/core/input/parse-input";
import { isSetupToken, needsFirstOwner } from "./first-owner";

export const openSetupSchema = z.strictObject({ token: tokenSchema });

/**
 * Succeeds if the link is the one that the server printed and hasn't been used. @throws WaypostError `link_invalid`.
 */
export async function openSetup(args: {
  ctx: OpenContext;
  input: z.input<typeof openSetupSchema>;
}): Promise<void> {
  const { services } = args.ctx;
  const { token } = parseInput(openSetupSchema, args.input);
  if (!isSetupToken(services, token) || !(await needsFirstOwner(services))) {
    throw new WaypostError("link_invalid");
  }
}
