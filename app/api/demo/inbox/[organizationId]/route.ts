import { getRuntime } from "@/app/runtime";

async function handle(request: Request): Promise<Response> {
  const runtime = await getRuntime();
  return runtime.demoInbox.fetch(request);
}

export { handle as GET, handle as POST };
