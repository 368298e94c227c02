import { documentedError } from "./graph-errors";
import type { NodeFields } from "./http";
import type { PhoneNumber } from "./numbers";
import type { SimulatorContext } from "./simulator-context";

interface PhoneNumberNode {
  readonly number: PhoneNumber;
  /** CONNECTED if there is no problem. */
  readonly status: string;
}

/** The fields of a number, whether it is read by its id or in the list of its account. */
export const numberFields = {
  verified_name: { isDefault: true, value: () => "Waypost Simulator" },
  code_verification_status: { isDefault: true, value: () => "VERIFIED" },
  display_phone_number: { isDefault: true, value: ({ number }) => number.display_phone_number },
  quality_rating: { isDefault: true, value: () => "GREEN" },
  platform_type: { isDefault: true, value: () => "CLOUD_API" },
  throughput: { isDefault: true, value: () => ({ level: "STANDARD" }) },
  name_status: { isDefault: false, value: () => "APPROVED" },
  status: { isDefault: false, value: ({ status }) => status },
  id: { isDefault: true, value: ({ number }) => number.phone_number_id },
} as const satisfies NodeFields<PhoneNumberNode>;

export function numberNode(context: SimulatorContext, number: PhoneNumber): PhoneNumberNode {
  const failure = context.failures.get(number.phone_number_id);
  return { number, status: (failure && documentedError(failure.error).numberStatus) ?? "CONNECTED" };
}
