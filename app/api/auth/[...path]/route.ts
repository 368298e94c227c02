import { getRuntime } from "@/app/runtime";

/** Where Next is the only server, nobody knows from where a request came. */
async function handle(request: Request): Promise<Response> {
  const runtime = await getRuntime();
  return runtime.auth.fetch(request, null);
}

export { handle as GET, handle as POST };
