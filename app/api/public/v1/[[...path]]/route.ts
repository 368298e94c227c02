import { getRuntime } from "@/app/runtime";

async function handle(request: Request): Promise<Response> {
  const runtime = await getRuntime();
  return runtime.publicApi.fetch(request);
}

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
};
