import { getRuntime } from "@/app/runtime";

/** If Next is the only server, the client's address is unknown. */
export async function GET(request: Request): Promise<Response> {
  const runtime = await getRuntime();
  return runtime.exports.fetch(request, null);
}
