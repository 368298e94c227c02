import { getRuntime } from "@/app/runtime";

async function handle(
  request: Request,
  context: { params: Promise<{ channelId: string }> },
): Promise<Response> {
  const [runtime, { channelId }] = await Promise.all([getRuntime(), context.params]);
  return runtime.whatsapp.callbacks.fetch(request, channelId);
}

export { handle as GET, handle as POST };
