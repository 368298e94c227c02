import { getRuntime } from "@/app/runtime";

/** If Next is the only server, the client's address is unknown. */
async function answer(request: Request): Promise<Response> {
  const runtime = await getRuntime();
  return runtime.files.fetch(request, null);
}

export { answer as GET, answer as POST };
