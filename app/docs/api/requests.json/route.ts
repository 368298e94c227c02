import { apiDocument, operationsOf } from "../document";
import { requestToFillIn } from "../sample-request";

/** A request to fill in for each operation, from which the admin app makes copies of refused requests. */
export async function GET(): Promise<Response> {
  const document = await apiDocument();
  const requests = operationsOf(document).map((described) => requestToFillIn(described, document));
  return Response.json(requests, { headers: { "Cache-Control": "private, max-age=300" } });
}
