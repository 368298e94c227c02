import type { Page } from "playwright";
import { connectTestChannel } from "@/server/domain/organizations/testing";
import { type Conversation, newHandle, openConversation } from "@/server/domain/messages/testing";
import type { AdminWorld } from "./admin-world";

/** The parts of the page of conversations. */
export const listed = (page: Page, name: string) =>
  page.getByRole("region", { name: "List of conversations" }).getByRole("link").filter({ hasText: name });
export const messages = (page: Page) => page.getByRole("log", { name: "Messages" });
export const answerBox = (page: Page) => page.getByRole("textbox", { name: "Message text" });
export const sendButton = (page: Page) => page.getByRole("button", { name: "Send", exact: true });

/** Returns a function that creates customers on a channel of their own. Each has a name, and has just written "Hello". */
export async function createCustomers({ ctx, services }: AdminWorld) {
  const channelId = await connectTestChannel(ctx);
  const customer = async (name: string): Promise<Conversation> => {
    const conversation = await openConversation(ctx, channelId, newHandle());
    await services.sql`
      update contacts set name = ${name}
      where organization_id = ${ctx.actor.organizationId} and id = ${conversation.contactId}`;
    return conversation;
  };
  return { channelId, customer };
}
