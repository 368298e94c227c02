import { getRuntime } from "@/app/runtime";

/** If Next is the only server, the client's address is unknown. */
async function handle(request: Request): Promise<Response> {
  const runtime = await getRuntime();
  return runtime.auth.fetch(request, null);
}

export { handle as GET, handle as POST };
