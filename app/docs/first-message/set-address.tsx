import { Code } from "../parts/code";
import { serviceAddress } from "../parts/documentation";

/** Sets the variable that all examples read the address of the service from. */
export async function SetAddress() {
  return <Code language="sh" text={`export WAYPOST_URL=${await serviceAddress()}`} answers="" />;
}
