import { getRuntime } from "@/app/runtime";

/** Where Next is the only server, nobody knows from where a request came. */
export async function GET(request: Request): Promise<Response> {
  const runtime = await getRuntime();
  return runtime.exports.fetch(request, null);
}
